/** Changes between two schemas, and the clients that each of them breaks, by what these were seen to use. */
import type { Change } from '@graphql-inspector/core'
import type { GraphQLSchema } from 'graphql'
import type { UseByClient } from '#core/schema-use/read.ts'

/** Client that a change breaks. */
export interface BrokenClient {
  readonly clientId: string
  /** Uses of what is changed; of several parts of the schema the most frequent. */
  readonly count: number
  readonly lastAt: Date
}

/** A change after which an operation that was valid may be so no longer, or may get no answer of its form. */
export interface BreakingChange {
  /** Path in the schema: `Type.field`, `Type.field.argument`, `Enum.VALUE`. */
  readonly path: string
  readonly message: string
  readonly reason: string | undefined
  /** Clients that use what is changed; undefined where uses were not looked at. */
  readonly clients: readonly BrokenClient[] | undefined
}

/** Whether a coordinate is used by whom a change breaks. */
type IsTouched = (coordinate: string) => boolean

/** Changes of an input's field that concern whoever gives the input, with the field or without. */
const OF_THE_WHOLE_INPUT: ReadonlySet<string> = new Set(['INPUT_FIELD_ADDED', 'INPUT_FIELD_TYPE_CHANGED'])

/** Finds what a change touches. A required argument that is new breaks all who use its field, since none of them gives it. */
const touchedBy = ({ type, path = '' }: Pick<Change, 'type' | 'path'>): IsTouched => {
  const [owner = '', member, argument] = path.split('.')
  const isWhole = member === undefined || OF_THE_WHOLE_INPUT.has(type)
  if (isWhole) return coordinate => coordinate.startsWith(`${owner}.`)
  const field = `${owner}.${member}`
  if (argument === undefined) return coordinate => coordinate === field
  const wanted = type === 'FIELD_ARGUMENT_REMOVED' ? `${field}(${argument}:)` : field
  return coordinate => coordinate === wanted
}

const clientsOf = (uses: readonly UseByClient[], isTouched: IsTouched): BrokenClient[] => {
  const clients = new Map<string, BrokenClient>()
  for (const { coordinate, clientId, count, lastAt } of uses) {
    if (!isTouched(coordinate)) continue
    const known = clients.get(clientId)
    clients.set(clientId, {
      clientId,
      count: Math.max(count, known?.count ?? 0),
      lastAt: known && known.lastAt > lastAt ? known.lastAt : lastAt,
    })
  }
  return [...clients.values()].toSorted((one, other) => other.count - one.count)
}

/**
 * Compares schemas.
 * @param uses what clients used of the schema; without it no clients are named.
 * @returns the changes that break something, those that break clients first.
 */
export async function breakingChanges(
  from: GraphQLSchema,
  to: GraphQLSchema,
  uses?: readonly UseByClient[],
): Promise<BreakingChange[]> {
  const { CriticalityLevel, diff } = await import('@graphql-inspector/core')
  const changes = await diff(from, to)
  return (
    changes
      .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
      // Directives of the schema itself, such as `@cost`, stand in no operation.
      .filter(({ path }) => !path?.includes('@'))
      .map(({ type, path, message, criticality }) => ({
        path: path ?? '',
        message,
        reason: criticality.reason,
        clients: uses && clientsOf(uses, touchedBy({ type, ...(path !== undefined && { path }) })),
      }))
      .toSorted((one, other) => (other.clients?.length ?? 0) - (one.clients?.length ?? 0))
  )
}

/** Whether changes break anything; where uses are known, whether they break anybody. */
export const breaksSomething = (changes: readonly BreakingChange[]): boolean =>
  changes.some(({ clients }) => clients === undefined || clients.length > 0)
