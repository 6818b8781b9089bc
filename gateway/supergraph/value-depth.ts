/** How deep a literal of an operation may be nested: what plans it takes time that doubles with each level of lists. */
import { type ASTNode, GraphQLError, type ValidationRule } from 'graphql'

/** Inputs of the graph have at most five levels; a custom scalar would take any. */
const MAX_LEVELS = 10

/** Refuses lists and objects that are nested deeper, wherever a value stands, before the operation is planned. */
export const limitValueDepth: ValidationRule = context => {
  let levels = 0
  const enter = (node: ASTNode) => {
    levels += 1
    if (levels !== MAX_LEVELS + 1) return
    const message = `A value must not be nested deeper than ${MAX_LEVELS} levels`
    context.reportError(new GraphQLError(message, { nodes: node }))
  }
  const leave = () => {
    levels -= 1
  }
  return { ListValue: { enter, leave }, ObjectValue: { enter, leave } }
}
