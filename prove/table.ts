/** Tables of docs/reliability.md that runs write. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../docs/reliability.md')

/** A table of Markdown. */
export const markdown = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

/** Writes what stands between the two marks of this name in the page anew. @throws Error where there are none. */
export function writeTable(name: string, text: string): void {
  const page = readFileSync(PAGE, 'utf8')
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no ${begin} before ${end}`)
  writeFileSync(PAGE, `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`)
}

/** The day of a run, as tables show it. */
export const today = (): string => new Date().toISOString().slice(0, 10)
