/** The pages of documentation hold: files that they name exist, and headings and documents that the source cites. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { REASONS } from '#core/errors/reasons.ts'
import { ABSENT } from './floors/floors.ts'
import {
  citationsIn,
  headingsOf,
  inOneLine,
  linksOf,
  PAGES,
  pathsIn,
  resolvePath,
  sectionOf,
} from './support/docs.ts'
import { findFiles, readText, SOURCES } from './support/sources.ts'

/** Files that can cite a page, generated ones aside. */
const CITING = [
  ...SOURCES.filter(({ generated, file }) => !generated && file !== 'test/docs.test.ts'),
  ...[...PAGES, ...findFiles('{SECURITY.md,prisma/schema/*.prisma,schema/*.yaml,schema/*.graphql}')].map(
    file => ({
      file,
      text: readText(file),
    }),
  ),
].filter(({ file }) => !file.startsWith('test/support/docs'))

/** Written by `npm run docs:ways`, which names the files that it saw run. */
const GENERATED = ['docs/ways.md']

describe('pages', () => {
  // A path does not say which floor it is in, so the pages hold for an installation that has all of them.
  it.skipIf(ABSENT.length > 0).each(PAGES.filter(page => !GENERATED.includes(page)))(
    'DOCS-01 MUST name files and folders that exist: %s',
    page => {
      const gone = pathsIn(readText(page)).filter(path => resolvePath(path).length === 0)
      expect(gone).toEqual([])
    },
  )

  it.each(PAGES)('DOCS-02 MUST link to what exists: %s', page => {
    expect(linksOf(page).filter(target => !existsSync(target))).toEqual([])
  })
})

const pageOf = (page: string) => (page.includes('/') || existsSync(page) ? page : `docs/${page}`)

describe('citations', () => {
  it('DOCS-10 MUST lead to a heading that is there', () => {
    const cited = CITING.flatMap(source =>
      citationsIn(inOneLine(source)).map(citation => ({ ...citation, file: source.file })),
    )
    expect(cited.length).toBeGreaterThan(20)
    const lost = cited.filter(({ page, heading }) => !headingsOf(readText(pageOf(page))).includes(heading))
    expect(lost.map(({ file, page, heading }) => `${file}: ${page}, "${heading}"`)).toEqual([])
  })

  it('DOCS-11 MUST say which OpenAPI document each contract document is', () => {
    const rows = sectionOf(readText('docs/decisions.md'), 'The contract')
    const known = new Map(
      [...rows.matchAll(/^\| (\d)(?:, part ([A-Z]))? \| `([^`]+)` \|/gm)].map(([, n, part = '', file]) => [
        n + part,
        file!,
      ]),
    )
    // What an outside charging system serves, and the tools of partners, are documents of ours, and no contract documents.
    const own = ['schema/charging.openapi.yaml', 'schema/partner.openapi.yaml']
    const contracts = findFiles('schema/*.openapi.yaml').filter(file => !own.includes(file))
    expect([...known.values()].toSorted()).toEqual(contracts)
    const cited = CITING.flatMap(source =>
      [
        ...inOneLine(source).matchAll(
          /\bcontract documents? (\d)(?: to \d)?(?:, part ([A-Z]))?(?:, "([^"]+)")?/g,
        ),
      ].map(([text, n, part = '', name]) => ({ file: source.file, text, key: n! + part, name })),
    )
    expect(cited.length).toBeGreaterThan(10)
    const lost = cited.filter(({ key, name }) => {
      const files = [...known].filter(([one]) => one.startsWith(key)).map(([, file]) => file)
      const fits = (file: string) => name === undefined || readText(file).includes(`\n    ${name}:\n`)
      return files.length === 0 || !files.every(fits)
    })
    expect(lost.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  })
})

describe('reasons', () => {
  it('DOCS-30 MUST be listed in docs/graph.md, all that there are and no others', () => {
    const [, table] = sectionOf(readText('docs/graph.md'), 'Errors').split('| reason | what is wrong |\n')
    const rows = table!.matchAll(/^\| `([A-Z_]+)` \| (\S.*) \|$/gm)
    expect([...rows].map(([, reason, text]) => [reason, text])).toEqual(Object.entries(REASONS))
  })

  it('DOCS-31 MUST be given by something', () => {
    const code = SOURCES.filter(
      ({ file }) =>
        /^(core|subgraphs|gateway|engine|connectors|topology)\//.test(file) && !file.endsWith('/reasons.ts'),
    )
    const unused = Object.keys(REASONS).filter(
      reason => !code.some(({ text }) => text.includes(`'${reason}'`)),
    )
    expect(unused).toEqual([])
  })
})

describe('graph.md', () => {
  it('DOCS-25 MUST have contents that lead to each of its headings', () => {
    const page = readText('docs/graph.md')
    const linked = [...sectionOf(page, 'Contents').matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!)
    const headings = headingsOf(page).filter(heading => !['The graph', 'Contents'].includes(heading))
    expect(linked).toEqual(headings.map(heading => heading.toLowerCase().replaceAll('.', '')))
    expect(new Set(linked).size).toBe(linked.length)
  })
})
