/**
 * Rights as a schema shows them: `@requiresRole`, which subgraphs write and composition carries into the supergraph. It is
 * shown to people and agents; resolvers refuse by themselves, and a test holds that both agree.
 */
import { type GraphQLSchema, isObjectType, Kind } from 'graphql'
import type { Role } from '../access/principal.ts'

/** Name of the directive. */
export const REQUIRES_ROLE = 'requiresRole'

/** Roles that may ask for a root field of which the schema says nothing. */
const ROOT_ROLES: readonly Role[] = ['partner', 'portal', 'analyst']

/**
 * Finds the roles that may ask for a root field.
 * @param schema one that has its directives: a subgraph's own, or the supergraph.
 */
export function rolesOfRoot(schema: GraphQLSchema, typeName: string, fieldName: string): readonly Role[] {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  const directive = field?.astNode?.directives?.find(({ name }) => name.value === REQUIRES_ROLE)
  const roles = directive?.arguments?.find(({ name }) => name.value === 'anyOf')?.value
  if (roles?.kind !== Kind.LIST) return ROOT_ROLES
  return roles.values.flatMap(one => (one.kind === Kind.ENUM ? [one.value as Role] : []))
}
