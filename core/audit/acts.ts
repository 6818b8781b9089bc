/**
 * Acts: who did what to clients, secrets, webhooks, transactions and the directory. An act is written in the database
 * transaction of what it records, so that neither is there without the other. Triggers refuse every change of a row; acts
 * are kept for ever.
 */
import { userInfo } from 'node:os'
import type { Config } from '../config/config.ts'
import { Prisma, type Statements } from '../data/db.ts'
import type { Logger } from '../observability/log.ts'
import { type CountedConnection, createNumberCursors, parsePageArgs } from '../paging/keyset.ts'
import { readKeysetPage } from '../paging/read-page.ts'
import { checkReference } from '../values/text.ts'
import { type WithMoments, withInstants } from '../values/time.ts'

/** Kinds of act, as the graph's `AuditAction` explains them. */
export const ACTIONS = [
  'CLIENT_ADDED',
  'CLIENT_CHANGED',
  'CLIENT_DISABLED',
  'CLIENT_ENABLED',
  'CLIENT_REMOVED',
  'SECRET_ROTATED',
  'CLIENT_KEYS_CHANGED',
  'WEBHOOK_SECRET_ROTATED',
  'DIRECTORY_IMPORTED',
  'WEBHOOK_ENDPOINT_CHANGED',
  'WEBHOOKS_REDELIVERED',
  'TEST_EVENT_SENT',
  'TRANSACTION_CANCELLED',
  'TRANSACTION_REVERSED',
  'TIMELINE_EXPORTED',
  'TIMELINE_REBUILT',
  'INSTALLATION_CONFIRMED',
  'SIGNING_KEY_ROTATED',
  'SECRETS_ENCRYPTED_ANEW',
  'DATABASE_COPIED',
  'SIGN_IN_REFUSED',
] as const

export type Action = (typeof ACTIONS)[number]

/** Agent of an act. */
export interface Actor {
  /** The client, or `cli:<user>` for the command line. */
  readonly id: string
  /** The person behind a client, as far as it says. */
  readonly user?: string | undefined
  readonly correlator?: string
}

export interface Act {
  readonly actor: Actor
  readonly action: Action
  /** Client, transaction, delivery or file that it was done to. */
  readonly target?: string
  /** Further facts: never a secret, and no number of a subscriber. */
  readonly details?: object
}

/** Request of a client, as far as an act names it. */
interface ActingRequest {
  readonly principal: { readonly clientId: string }
  readonly correlator: string
  readonly user?: string | undefined
}

/** Agent of a request. */
export const actorOf = ({ principal, correlator, user }: ActingRequest): Actor => ({
  id: principal.clientId,
  user,
  correlator,
})

/** Agent of acts that a server does by itself. */
export const SERVER: Actor = { id: 'server' }

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number that has no name.
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** Agent at the command line: the user of the operating system. */
export const administrator = (): Actor => ({ id: `cli:${userName()}` })

export interface RecordDependencies {
  readonly config: Pick<Config, 'readOnly'>
  readonly db: Pick<Statements, '$executeRaw'>
  readonly log: Logger
}

/** Writes an act. @param tx the transaction of what it records. */
export const recordAct = async (
  tx: Pick<Statements, '$executeRaw'>,
  { actor, action, target, details = {} }: Act,
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO audit.act (actor, acting_user, correlator, action, target, details)
    VALUES (${actor.id}, ${actor.user ?? null}, ${actor.correlator ?? null}, ${action}, ${target ?? null},
      ${JSON.stringify(details)}::jsonb)`
}

/** Writes an act that no transaction belongs to. A process that only reads writes it to its log instead. */
export const recordAlone = async ({ db, config, log }: RecordDependencies, act: Act): Promise<void> => {
  if (config.readOnly) log.info({ act }, 'an act, recorded here alone since this process only reads')
  else await recordAct(db, act)
}

/** An act as it is read. */
export interface ActRow {
  readonly id: bigint
  readonly at: Date
  readonly actor: string
  readonly user: string | null
  readonly correlator: string | null
  readonly action: Action
  readonly target: string | null
  /** A JSON object as text. */
  readonly details: string
}

/** The graph's `AuditLogFilter`; fields that are given must all hold. */
export interface ActFilter {
  readonly actor?: string | null
  readonly action?: Action | null
  readonly target?: string | null
  readonly from?: Date | null
  readonly to?: Date | null
}

export interface ActArgs {
  readonly filter?: WithMoments<ActFilter> | null
  readonly first?: number | null
  readonly after?: string | null
}

/** A page of acts with its total. */
export type ActPage = CountedConnection<ActRow>

const CURSORS = createNumberCursors('a1:')

const COLUMNS = Prisma.raw(
  'a.id, a.at, a.actor, a.acting_user AS "user", a.correlator, a.action, a.target, a.details::text AS details',
)

const conditionsOf = ({ actor, action, target, from, to }: ActFilter): Prisma.Sql => {
  if (actor != null) checkReference('filter.actor', actor)
  if (target != null) checkReference('filter.target', target)
  const conditions = [Prisma.sql`TRUE`]
  if (actor != null) conditions.push(Prisma.sql`a.actor = ${actor}`)
  if (action != null) conditions.push(Prisma.sql`a.action = ${action}`)
  if (target != null) conditions.push(Prisma.sql`a.target = ${target}`)
  if (from != null) conditions.push(Prisma.sql`a.at >= ${from}::timestamptz`)
  if (to != null) conditions.push(Prisma.sql`a.at <= ${to}::timestamptz`)
  return Prisma.join(conditions, ' AND ')
}

/** Reads a page of acts, the newest first. @throws ServiceError INVALID_ARGUMENT. */
export const listActs = async (db: Statements, { filter, first, after }: ActArgs): Promise<ActPage> =>
  readKeysetPage<ActRow>(db, {
    columns: COLUMNS,
    from: Prisma.sql`audit.act a`,
    where: conditionsOf(withInstants(filter ?? {})),
    number: Prisma.raw('a.id'),
    keyset: parsePageArgs({ first, after }, CURSORS.from),
    cursorOf: ({ id }) => CURSORS.to(id),
  })
