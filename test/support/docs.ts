/** The pages of documentation as a program reads them: headings, the files they name, and who cites what. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findFiles, readText, type Source } from './sources.ts'

/** Every page that people read; `docs/graph.md` is generated from the supergraph. */
export const PAGES: readonly string[] = findFiles('{README.md,CHANGELOG.md,docs/*.md}').filter(
  page => page !== 'docs/graph.md',
)

const withoutBlocks = (text: string) => text.replace(/^```.*?^```/gms, '')

/** The headings of a page, without their marks. */
export const headingsOf = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.trim())

/** Text under a heading, up to the next of its level or above. */
export function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const start = lines.findIndex(line => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (start < 0) throw new Error(`No heading ${heading}`)
  const level = lines[start]!.indexOf(' ')
  const length = lines.slice(start + 1).findIndex(line => /^#+ /.test(line) && line.indexOf(' ') <= level)
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
}

/** A code block of a page. */
export interface Block {
  readonly language: string
  readonly text: string
}

/** The code blocks of a text, in their order. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, inside]) => ({
    language: language!,
    text: inside!,
  }))

/** The first column of a section's table whose header begins so, without backticks. */
export const firstColumn = (section: string): string[] =>
  [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)

const FILE = /\.(ts|md|ya?ml|graphql|prisma|json|sql)$/
const PATH = /^[\w.<>*{},-]+(\/[\w.<>*{},-]+)*\/?$/
/** Where the pages' paths start from; a file of every service is named without its folder. */
const BASES = ['.', 'core', 'gateway', 'topology', 'connectors', 'engine', 'subgraphs/*', 'docs', 'schema']

const isFolder = (name: string) => ['.', 'core', 'gateway'].some(base => existsSync(join(base, name)))

/** Protocols of OpenTelemetry look like paths. */
const PROTOCOL = /^http\/(protobuf|json)$/

/** Words in backticks that name a file or folder: by their ending, or by the folder that they begin with. */
const isPath = (word: string) =>
  PATH.test(word) &&
  !PROTOCOL.test(word) &&
  (FILE.test(word) || word.endsWith('/') || (word.includes('/') && isFolder(word.split('/')[0]!)))

/** The files and folders that a text names in backticks. */
export const pathsIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word!).filter(isPath)

/** The files that a path of a page may mean; a placeholder such as `<name>` stands for any. */
export const resolvePath = (path: string): string[] => {
  const pattern = path.replace(/<[^>]+>/g, '*').replace(/\/$/, '')
  return BASES.flatMap(base => findFiles(join(base, pattern)))
}

/** The links of a page within the repository, from the root. */
export const linksOf = (page: string): string[] =>
  [...withoutBlocks(readText(page)).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) =>
    join(dirname(page), target!),
  )

/** Comments and titles in one line each, so that a citation is not cut in two. */
export const inOneLine = ({ text }: Pick<Source, 'text'>): string =>
  text.replace(/\n\s*(\*|\/\/\/?)?\s*/g, ' ')

/** A page and one of its headings: `docs/decisions.md, "Lists"`, also several after one page. */
export interface Citation {
  readonly page: string
  readonly heading: string
}

/** The headings that a text cites. */
export const citationsIn = (text: string): Citation[] =>
  [
    ...text.matchAll(/\b((?:docs\/)?[\w-]+\.md|README)\b(?:\]\([^)]*\))?[`)]*, ((?:"[^"]+"(?:, | and )?)+)/g),
  ].flatMap(([, page, headings]) =>
    [...headings!.matchAll(/"([^"]+)"/g)].map(([, heading]) => ({
      page: page === 'README' ? 'README.md' : page!,
      heading: heading!,
    })),
  )
