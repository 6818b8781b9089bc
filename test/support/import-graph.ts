/** The graph of imports: what goes against an order of folders, and what goes round in a circle. */
import { dirname } from 'node:path'
import type { Source } from './sources.ts'

/** The entry points of a part of the product stand beside its folders and may import all of them. */
const ENTRY = '(entry)'

/** The folder under `base` that a file belongs to, as the order names it. */
const folderOf = (file: string, base: string): string | undefined => {
  if (!file.startsWith(`${base}/`)) return undefined
  return dirname(file).slice(base.length + 1) || ENTRY
}

/** The folders under `base` that have files of their own. */
export const foldersOf = (sources: readonly Source[], base: string): string[] => {
  const folders = sources.map(({ file }) => folderOf(file, base))
  return [...new Set(folders.filter(folder => folder !== undefined && folder !== ENTRY))] as string[]
}

/**
 * Each import that leads from a folder to one that stands later in the order, as `file imports file`. Where every
 * single import keeps to the order, every chain of them does.
 */
export function againstOrder(sources: readonly Source[], base: string, order: readonly string[]): string[] {
  const rankOf = (file: string) => {
    const folder = folderOf(file, base)
    return folder === ENTRY ? order.length : order.indexOf(folder!)
  }
  return sources
    .filter(({ file }) => folderOf(file, base) !== undefined)
    .flatMap(({ file, imports }) =>
      imports
        .filter(to => folderOf(to, base) !== undefined && rankOf(to) > rankOf(file))
        .map(to => `${file} imports ${to}`),
    )
}

type Edges = ReadonlyMap<string, ReadonlySet<string>>

const edgesOf = (sources: readonly Source[], nodeOf: (file: string) => string): Edges => {
  const known = new Set(sources.map(({ file }) => file))
  const edges = new Map<string, Set<string>>()
  for (const { file, imports } of sources) {
    const node = nodeOf(file)
    const targets = edges.get(node) ?? new Set<string>()
    for (const to of imports) if (known.has(to) && nodeOf(to) !== node) targets.add(nodeOf(to))
    edges.set(node, targets)
  }
  return edges
}

const reachableFrom = (start: string, edges: Edges): Set<string> => {
  const found = new Set<string>()
  const open = [...(edges.get(start) ?? [])]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue
    found.add(node)
    open.push(...(edges.get(node) ?? []))
  }
  return found
}

/** The nodes that reach themselves, whatever the imports are for: none when there is no circle. */
export function circlesOf(sources: readonly Source[], nodeOf: (file: string) => string): string[] {
  const edges = edgesOf(sources, nodeOf)
  return [...edges.keys()].filter(node => reachableFrom(node, edges).has(node)).toSorted()
}
