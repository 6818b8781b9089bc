/** What graphql-js tells a resolver of the field that it resolves. */
import type { GraphQLResolveInfo, ResponsePath } from 'graphql'
import type { Execution, SelectedField } from './types.ts'

/** All of it, made for those alone who are told. */
export const infoOf = (
  { definition, nodes, parentType }: SelectedField,
  { parts, rootValue, variableValues }: Execution,
  path: ResponsePath,
): GraphQLResolveInfo => ({
  fieldName: definition.name,
  fieldNodes: nodes,
  returnType: definition.type,
  parentType,
  path,
  schema: parts.schema,
  fragments: parts.fragments,
  rootValue,
  operation: parts.operation,
  variableValues,
})
