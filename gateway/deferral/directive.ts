/** `@defer`: its definition, the rule for its labels, and operations without it. */
import {
  DirectiveLocation,
  type DirectiveNode,
  type DocumentNode,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLError,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  Kind,
  type ValidationRule,
  visit,
} from 'graphql'

const DEFER = 'defer'

const DEFER_DIRECTIVE = new GraphQLDirective({
  name: DEFER,
  description:
    'The fragment may come in a later part of the response, to clients that take responses in parts.',
  locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
  args: {
    label: { type: GraphQLString, description: 'Name of the part, unique in the operation.' },
    if: {
      type: new GraphQLNonNull(GraphQLBoolean),
      defaultValue: true,
      description: 'Whether the fragment is deferred.',
    },
  },
})

/** Adds `@defer` to a schema that clients see, which Apollo Gateway makes without it. */
export const teachDefer = (schema: GraphQLSchema): GraphQLSchema => {
  const directives = schema.getDirectives() as GraphQLDirective[]
  if (!schema.getDirective(DEFER)) directives.push(DEFER_DIRECTIVE)
  return schema
}

export const isDefer = ({ name }: DirectiveNode): boolean => name.value === DEFER

/** Finds an argument of a `@defer`. */
export const deferArgument = ({ arguments: args = [] }: DirectiveNode, name: 'if' | 'label') =>
  args.find(one => one.name.value === name)?.value

/** Refuses labels by which a client could not tell the parts apart. */
export const labelDefers: ValidationRule = context => {
  const known = new Set<string>()
  const report = (message: string, node: DirectiveNode) =>
    context.reportError(new GraphQLError(message, { nodes: node }))
  return {
    Directive(node) {
      const label = isDefer(node) ? deferArgument(node, 'label') : undefined
      if (!label || label.kind === Kind.NULL) return
      if (label.kind !== Kind.STRING)
        return report('The label of a @defer must be a text, not a variable', node)
      if (known.has(label.value)) return report(`Two @defer have the label "${label.value}"`, node)
      known.add(label.value)
    },
  }
}

/** Operations without `@defer`; of one that has none, itself. */
const whole = new WeakMap<DocumentNode, DocumentNode>()

/** Removes every `@defer`: the response to such an operation is whole, as the specification allows. */
export function withoutDefer(document: DocumentNode): DocumentNode {
  const found =
    whole.get(document) ?? visit(document, { Directive: node => (isDefer(node) ? null : undefined) })
  whole.set(document, found)
  return found
}

/** Whether an operation has a `@defer`. */
export const hasDefer = (document: DocumentNode): boolean => withoutDefer(document) !== document
