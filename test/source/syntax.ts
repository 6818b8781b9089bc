/** The program's own source as syntax trees. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'

const ROOT = join(import.meta.dirname, '../..')

/** As much of a node as all have. */
export interface SyntaxNode {
  readonly type: string
  readonly loc: { readonly start: { readonly line: number } }
}

/** The files of a folder that were written by hand; none of a floor that was taken away. */
export const filesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .filter(name => !name.includes('generated') && !name.includes('node_modules'))
    .toSorted()

const isNode = (value: object): value is SyntaxNode => 'type' in value && 'loc' in value

/** A node and all below it, from the outside in. */
export function* within(value: unknown): Generator<SyntaxNode> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) yield value
  for (const child of Object.values(value)) yield* within(child)
}

/** All nodes of a text in TypeScript. */
export const nodesIn = (text: string): SyntaxNode[] => [
  ...within(parse(text, { sourceType: 'module', plugins: ['typescript'] }).program),
]

/** All nodes of a file. */
export const nodesOf = (file: string): SyntaxNode[] => nodesIn(readFileSync(join(ROOT, file), 'utf8'))
