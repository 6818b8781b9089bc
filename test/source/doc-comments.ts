/**
 * Checks that each doc comment, description of the graph and comment of a table begins with a noun or a verb:
 * `npm run check:comments`. A clause without its head ("What a client sent") leaves the reader to guess what it speaks of.
 */
import { globSync, readFileSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'
import { SOURCES } from '../support/sources.ts'

/** Words that begin a clause without its head. */
const HEADLESS = /^(what|which|whose|those|who|whom|whatever|whoever|whichever)\b/i

/** First line of each comment that documents something, by the kind of its file. */
const FIRST_LINE = {
  source: /\/\*\*\s*(?:\*\s*)?([^\s*][^\n]*)/g,
  graph: /^[ \t]*"(?:"")?\s*([^\s"][^\n]*)/gm,
  table: /(?<!\/\/\/[^\n]*\n[ \t]*)\/\/\/ ?([^\n]*)/g,
} as const

interface Documented {
  readonly file: string
  readonly text: string
  readonly kind: keyof typeof FIRST_LINE
}

/** Documents of the graph and tables that are written by hand; `api` and `supergraph` are made from the others. */
const documents = (): Documented[] => {
  // The example of docs/adding-a-service.md is copied to `schema`.
  const graph = globSync(['schema/*.graphql', 'test/support/sixth/*.graphql'], {
    cwd: projectPath(''),
  }).filter(file => !/(api|supergraph)\.graphql$/.test(file))
  const tables = globSync('prisma/schema/*.prisma', { cwd: projectPath('') })
  const read = (kind: Documented['kind']) => (file: string) => ({
    file,
    kind,
    text: readFileSync(projectPath(file), 'utf8'),
  })
  return [...graph.map(read('graph')), ...tables.map(read('table'))]
}

const sources = (): Documented[] =>
  SOURCES.filter(({ generated }) => !generated).map(({ file, text }) => ({ file, text, kind: 'source' }))

/** Each comment that begins with a headless clause, as `file:line  its first line`. */
const headlessComments = (all: readonly Documented[]): string[] =>
  all.flatMap(({ file, text, kind }) =>
    [...text.matchAll(FIRST_LINE[kind])]
      .filter(([, first]) => HEADLESS.test(first!))
      .map(({ 0: whole, 1: first, index }) => {
        const line = text.slice(0, index + whole.length).split('\n').length
        return `${file}:${line}  ${first!.replace(/\s*(\*\/|"{1,3}).*$/, '')}`
      }),
  )

const found = headlessComments([...sources(), ...documents()])
for (const one of found) console.log(one)
if (found.length > 0) {
  console.error(`${found.length} doc comments begin with a headless clause: begin with a noun or a verb.`)
  process.exitCode = 1
}
