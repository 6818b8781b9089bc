/** `npm run docs:graph`: writes `docs/graph.md`, the graph's reference, from the supergraph; `--check` compares instead. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { headSections, TITLE } from './reference/head.ts'
import {
  argumentsOf,
  describeRootField,
  describeType,
  type FieldExample,
  ROOTS,
  readFieldExamples,
  type TypeNode,
  textOf,
  typesOf,
} from './reference/types.ts'
import { readSupergraph } from './supergraph/document.ts'

const FILE = join(import.meta.dirname, '../docs/graph.md')

const isRoot = (name: string) => name in ROOTS

/** The sections after the roots, each with the test for its definitions. */
const SECTIONS: readonly [title: string, holds: (type: TypeNode) => boolean][] = [
  ['Interfaces', ({ kind }) => kind === 'InterfaceTypeDefinition'],
  ['Types', ({ kind, name }) => kind === 'ObjectTypeDefinition' && !isRoot(name.value)],
  ['Inputs', ({ kind }) => kind === 'InputObjectTypeDefinition'],
  ['Enums', ({ kind }) => kind === 'EnumTypeDefinition'],
  ['Scalars', ({ kind }) => kind === 'ScalarTypeDefinition'],
]

const rootSection = (root: string, types: readonly TypeNode[], examples: readonly FieldExample[]): string => {
  const exampleOf = (field: string) => {
    const found = examples.find(one => one.operation === ROOTS[root] && one.field === field)
    if (!found) throw new Error(`schema/examples has no example for ${root}.${field}`)
    return found.text
  }
  const { fields = [] } = types.find(({ name }) => name.value === root)!
  const parts = fields.map(field => describeRootField(root, field, exampleOf(field.name.value)))
  return `## ${root}\n\n${parts.join('\n\n')}\n`
}

const typeSections = (types: readonly TypeNode[]): string[] =>
  SECTIONS.map(([title, holds]) => [title, types.filter(holds)] as const)
    .filter(([, some]) => some.length > 0)
    .map(([title, some]) => `## ${title}\n\n${some.map(describeType).join('\n\n')}\n`)

/** A link to a heading of letters, digits and points, by GitHub's anchor. A field is named without its root. */
const linkTo = (heading: string) =>
  `[${heading.split('.').at(-1)}](#${heading.toLowerCase().replaceAll('.', '')})`

const contentsOf = (sections: readonly string[]): string => {
  const lines = sections.flatMap(section => {
    const [title, ...parts] = [...section.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading!)
    return `- ${linkTo(title!)}${parts.length > 0 ? `: ${parts.map(linkTo).join(', ')}` : ''}`
  })
  return `## Contents\n\n${lines.join('\n')}\n`
}

/**
 * The reference as Markdown.
 * @throws Error when a field of a root type has no example.
 */
export function renderReference(sdl: string, examples = readFieldExamples()): string {
  const types = typesOf(sdl)
  const roots = Object.keys(ROOTS).map(root => rootSection(root, types, examples))
  const sections = [...headSections(), ...roots, ...typeSections(types)]
  return [TITLE, contentsOf(sections), ...sections].join('\n')
}

/** The definitions without a description, as `Type`, `Type.field` or `Type.field.argument`. Roots need none. */
export function undescribed(sdl: string): string[] {
  const missing: string[] = []
  const look = (path: string, node: Parameters<typeof textOf>[0]) => {
    if (textOf(node) === '' && !isRoot(path)) missing.push(path)
  }
  for (const type of typesOf(sdl)) {
    const name = type.name.value
    look(name, type)
    for (const value of type.values ?? []) look(`${name}.${value.name.value}`, value)
    for (const field of type.fields ?? []) {
      look(`${name}.${field.name.value}`, field)
      for (const one of argumentsOf(field)) look(`${name}.${field.name.value}.${one.name.value}`, one)
    }
  }
  return missing
}

/** Whether `docs/graph.md` is up to date with the supergraph. */
export const isReferenceCurrent = (): boolean =>
  readFileSync(FILE, 'utf8') === renderReference(readSupergraph())

if (import.meta.main) {
  if (!process.argv.includes('--check')) writeFileSync(FILE, renderReference(readSupergraph()))
  else if (!isReferenceCurrent()) {
    console.error('Run npm run docs:graph: docs/graph.md is out of date')
    process.exitCode = 1
  }
}
