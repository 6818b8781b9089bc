/** Tables of docs/reliability.md that runs write. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../docs/reliability.md')

/** A table of Markdown. */
export const markdown = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Where the text between two marks of the page begins and ends. @throws Error where there are none. */
const placeOf = (page: string, name: string): readonly [from: number, to: number] => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no ${begin} before ${end}`)
  return [from + begin.length, to]
}

/** The rows of the table between two marks, its head and line left out. */
export function readRows(name: string): string[][] {
  const page = readFileSync(PAGE, 'utf8')
  const lines = page
    .slice(...placeOf(page, name))
    .split('\n')
    .filter(line => line.startsWith('| '))
  return lines.slice(2).map(line => line.slice(2, -2).split(' | '))
}

/** Writes what stands between the two marks of this name in the page anew. @throws Error where there are none. */
export function writeTable(name: string, text: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [from, to] = placeOf(page, name)
  writeFileSync(PAGE, `${page.slice(0, from)}\n${text}\n${page.slice(to)}`)
}

/** The day of a run, as tables show it. */
export const today = (): string => new Date().toISOString().slice(0, 10)
