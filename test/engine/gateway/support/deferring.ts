/** Generated operations with `@defer` on fragments by chance, and what a client makes of the parts. */
import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  print,
  type SelectionNode,
  validate,
  visit,
} from 'graphql'
import { createRandom, type Random } from '#test/support/random.ts'
import type { OperationRequest } from '#test/support/repository-operations.ts'
import { generateOperation } from './operations.ts'

/** Variables that switch fragments. */
const SWITCHES = ['on0', 'on1']

const argument = (name: string, value: string): string => `${name}: ${value}`

class Deferring {
  readonly #random: Random
  #labels = 0
  count = 0

  constructor(random: Random) {
    this.#random = random
  }

  directive(): DirectiveNode {
    const random = this.#random
    const given = [
      ...(random.chance(0.5) ? [argument('label', `"part ${this.#labels++}"`)] : []),
      ...(random.chance(0.3) ? [argument('if', random.pick(['$on0', '$on1', 'true', 'false']))] : []),
    ]
    this.count += 1
    const text = `{ ... @defer${given.length > 0 ? `(${given.join(', ')})` : ''} { a } }`
    const [operation] = parse(text, { noLocation: true }).definitions
    return (operation as { selectionSet: { selections: SelectionNode[] } } & typeof operation).selectionSet
      .selections[0]!.directives![0]!
  }

  /** Some of an object's selections, in a fragment of their own. */
  wrap(selections: readonly SelectionNode[]): SelectionNode[] {
    const random = this.#random
    if (!random.chance(0.4)) return [...selections]
    const inside = selections.filter(() => random.chance(0.6))
    if (inside.length === 0) return [...selections]
    // Now and then the same is selected outside of it too.
    const outside = selections.filter(one => !inside.includes(one) || random.chance(0.2))
    const fragment: SelectionNode = {
      kind: Kind.INLINE_FRAGMENT,
      directives: [this.directive()],
      selectionSet: { kind: Kind.SELECTION_SET, selections: inside },
    }
    return [...outside, fragment]
  }

  put(document: DocumentNode): DocumentNode {
    const random = this.#random
    const withDefer = <Node extends { readonly directives?: readonly DirectiveNode[] }>(
      node: Node,
    ): Node | undefined =>
      random.chance(0.4) ? { ...node, directives: [...(node.directives ?? []), this.directive()] } : undefined
    return visit(document, {
      SelectionSet: { leave: node => ({ ...node, selections: this.wrap(node.selections) }) },
      InlineFragment: {
        enter: node =>
          node.directives?.some(({ name }) => name.value === 'defer') ? undefined : withDefer(node),
      },
      FragmentSpread: { enter: withDefer },
    })
  }
}

const MAX_ATTEMPTS = 50

/** The operation of a seed with `@defer`; the schema has to know the directive. */
export function generateDeferring(schema: GraphQLSchema, seed: number): OperationRequest {
  const operation = generateOperation(schema, seed, 30)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const random = createRandom(`defer ${seed}.${attempt}`)
    const deferring = new Deferring(random)
    const put = deferring.put(operation.document)
    if (deferring.count === 0) continue
    const used = SWITCHES.filter(name => print(put).includes(`$${name}`))
    const text = print(put).replace(
      /^(query|mutation)?([^({]*)(?:\(([^{]*?)\))? ?\{/,
      (_, kind = 'query', name, defined) => {
        const definitions = [...(defined ? [defined] : []), ...used.map(one => `$${one}: Boolean!`)]
        return `${kind}${name}${definitions.length > 0 ? `(${definitions.join(', ')})` : ''} {`
      },
    )
    const switches = Object.fromEntries(used.map(one => [one, random.chance(0.6)]))
    const variables = { ...operation.variables, ...switches }
    try {
      const document = parse(text)
      if (validate(schema, document).length === 0) return { document, text, variables }
    } catch {
      // A default value with braces: another seed has none.
    }
  }
  throw new Error(`Seed ${seed} brings no valid operation`)
}
