/** Lexemes of entries are those of the database's functions, by which searches find them, whichever way they are made. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Prisma } from '#core/data/db.ts'
import { lexemesOf } from '#subgraphs/activity/timeline/entry.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'silent' } })
})
afterAll(() => opened[Symbol.asyncDispose]())

/** Lexemes of each pair of a text and correlators, by the entry's way and by the functions. */
const bothWays = (pairs: readonly (readonly [text: string, correlators: string])[]) =>
  opened.app.db.$queryRaw<{ entry: string; functions: string }[]>`
    SELECT ${lexemesOf(Prisma.sql`p.text`, Prisma.sql`p.correlators`)}::text AS entry,
      array_to_tsvector(activity.words(p.text) || activity.tokens(p.correlators))::text AS functions
    FROM jsonb_to_recordset(${JSON.stringify(pairs.map(([text, correlators], nth) => ({ nth, text, correlators })))}::jsonb)
      AS p (nth int, text text, correlators text) ORDER BY p.nth`

const expectSame = async (pairs: readonly (readonly [string, string])[]) => {
  const found = await bothWays(pairs)
  expect(found.map(({ entry }) => entry)).toEqual(found.map(({ functions }) => functions))
  return found
}

it('LEXEMES-01 MUST be those of a usual entry', async () => {
  const [found] = await expectSame([['Payment of 5.25 OMR: Monthly bill  REF-1', '01A-b c/d']])
  expect(found!.entry).toBe(`'01a-b' '1' '25' '5' 'bill' 'c/d' 'monthly' 'of' 'omr' 'payment' 'ref'`)
})

it('LEXEMES-02 MUST be cut where one is too long, at its very character', async () => {
  const long = (length: number, letter = 'x') => letter.repeat(length)
  const found = await expectSame([
    [long(64), long(256)],
    [long(65), ''],
    ['', long(257)],
    [`${long(64)}-${long(65)} short`, ''],
    [long(70, 'é'), long(300, 'ß')],
    // In some languages a small letter is two characters where the large one is one.
    [long(64, 'İ'), long(256, 'İ')],
    [long(33, '𝒳'), `${long(255)} ${long(2)}`],
  ])
  expect(found.slice(1, 3).map(({ entry }) => entry)).toEqual([`'${long(64)}'`, `'${long(256)}'`])
})

it('LEXEMES-03 MUST be none of nothing', async () => {
  const found = await expectSame([
    ['', ''],
    [' -- ،؛؟ ', ' \t '],
  ])
  expect(found.map(({ entry }) => entry)).toEqual(['', ''])
})

/** Signs that part words, others that look like it, and letters of several scripts. */
const PARTS = [
  ...' -_/.:,;!?@[]{}~`^|\\\'"&()<>=+*%$#',
  '،',
  '؛',
  '؟',
  '\t',
  '\n',
  '\u00a0',
  '\u2003',
  '\u200b',
]
const LETTERS = [...'abzAZ019éÉßİıΣςКщبت日😀', 'e\u0301']

/** Numbers that look random and are the same each time. */
const numbers = function* () {
  for (let state = 7; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    yield state >>> 8
  }
}

it('LEXEMES-04 MUST be the same for texts of all signs', async () => {
  const random = numbers()
  const below = (most: number) => random.next().value! % most
  const pick = (from: readonly string[]) => from[below(from.length)]!
  const textOf = (length: number) =>
    Array.from({ length }, () => pick(below(4) === 0 ? PARTS : LETTERS)).join('')
  const pairs = Array.from({ length: 400 }, () => [textOf(below(160)), textOf(below(320))] as const)
  const found = await expectSame(pairs)
  expect(new Set(found.map(({ entry }) => entry)).size).toBeGreaterThan(350)
})
