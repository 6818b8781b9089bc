/**
 * Auditors read the records of who looked at whom and who did what, and nothing that those are about. Every other root
 * field of every subgraph refuses them, and no entity is found for them, so that a new field is closed to them too.
 */
import { ServiceError } from '../errors/catalogue.ts'
import { isObject } from '../values/json.ts'
import type { GraphContext } from './loaders.ts'

/** Root fields that an auditor may read. */
const FIELDS_OF_AUDITORS: ReadonlySet<string> = new Set(['me', 'accessRecords', 'auditLog'])

const ROOT_TYPES = ['Query', 'Mutation', 'Subscription']

type Resolve = (parent: unknown, args: unknown, context: GraphContext, info: unknown) => unknown

const isAuditor = ({ caller }: GraphContext): boolean => caller.principal.role === 'auditor'

const refusing =
  (name: string, resolve: Resolve): Resolve =>
  (parent, args, context, info) => {
    if (isAuditor(context))
      throw new ServiceError('PERMISSION_DENIED', `A client of role auditor may not call ${name}`)
    return resolve(parent, args, context, info)
  }

/** A root field: its resolver, or the stream of a subscription with the resolver of its events. */
const closedField = (name: string, field: unknown): unknown => {
  if (FIELDS_OF_AUDITORS.has(name)) return field
  if (typeof field === 'function') return refusing(name, field as Resolve)
  if (!isObject(field) || typeof field['subscribe'] !== 'function') return field
  return { ...field, subscribe: refusing(name, field['subscribe'] as Resolve) }
}

type FindEntity = (reference: unknown, context: GraphContext, info: unknown) => unknown

const closedEntity =
  (find: FindEntity): FindEntity =>
  (reference, context, info) =>
    isAuditor(context) ? null : find(reference, context, info)

const closedType = (name: string, fields: unknown): unknown => {
  if (!isObject(fields)) return fields
  if (ROOT_TYPES.includes(name))
    return Object.fromEntries(Object.entries(fields).map(([field, one]) => [field, closedField(field, one)]))
  const find = fields['__resolveReference']
  return typeof find === 'function'
    ? { ...fields, __resolveReference: closedEntity(find as FindEntity) }
    : fields
}

/** The resolvers of a subgraph, closed to auditors but for the fields that are theirs. */
export const closedToAuditors = (resolvers: object): object =>
  Object.fromEntries(Object.entries(resolvers).map(([name, fields]) => [name, closedType(name, fields)]))
