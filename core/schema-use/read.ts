/** Uses of the schema as they were recorded: who used what, how often and when last. */
import { Prisma, type Statements } from '../data/db.ts'

/** Uses of a coordinate by a client. */
export interface UseByClient {
  readonly coordinate: string
  readonly clientId: string
  readonly count: number
  readonly lastAt: Date
}

/** Uses of a coordinate by a client in one hour. */
export interface UseByHour extends UseByClient {
  /** Beginning of the hour. */
  readonly hour: Date
}

interface UseFilter {
  /** Coordinates, all of them unless given. */
  readonly coordinates?: readonly string[]
  readonly client?: string
  /** First instant; the hour that it lies in counts whole. */
  readonly from?: Date
  readonly to?: Date
}

const conditionsOf = ({ coordinates, client, from, to }: UseFilter): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`TRUE`,
      ...(coordinates ? [Prisma.sql`coordinate = ANY(${coordinates}::text[])`] : []),
      ...(client === undefined ? [] : [Prisma.sql`client_id = ${client}`]),
      ...(from ? [Prisma.sql`hour >= date_trunc('hour', ${from}::timestamptz)`] : []),
      ...(to ? [Prisma.sql`hour <= ${to}::timestamptz`] : []),
    ],
    ' AND ',
  )

type Counted<Row extends UseByClient> = Omit<Row, 'count'> & { readonly count: bigint }

const toRows = <Row extends UseByClient>(rows: readonly Counted<Row>[]) =>
  rows.map(row => ({ ...row, count: Number(row.count) }))

/** Reads uses by coordinate and client, the most frequent of a coordinate first. */
export const readUses = async (
  db: Pick<Statements, '$queryRaw'>,
  filter: UseFilter = {},
): Promise<UseByClient[]> =>
  toRows(
    await db.$queryRaw<Counted<UseByClient>[]>`
      SELECT coordinate, client_id AS "clientId", sum(count)::bigint AS count, max(last_at) AS "lastAt"
      FROM activity.schema_use WHERE ${conditionsOf(filter)}
      GROUP BY coordinate, client_id ORDER BY coordinate, sum(count) DESC, client_id`,
  )

/** Reads uses hour by hour. */
export const readHourlyUses = async (
  db: Pick<Statements, '$queryRaw'>,
  filter: UseFilter = {},
): Promise<UseByHour[]> =>
  toRows(
    await db.$queryRaw<Counted<UseByHour>[]>`
      SELECT coordinate, client_id AS "clientId", hour, count, last_at AS "lastAt"
      FROM activity.schema_use WHERE ${conditionsOf(filter)} ORDER BY hour, client_id, coordinate`,
  )
