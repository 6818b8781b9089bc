/** What a client or a receiver writes is matched in linear time. */
import { checkSync } from 'recheck'
import { expect, it } from 'vitest'
import { sourcesIn } from '../../support/sources.ts'

/** The literals of the folder. */
const LITERAL =
  /(?<=[(=,:?&|]\s*|^\s*)\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([a-z]*)/gm

const found = sourcesIn('subgraphs/shared/delivery').flatMap(({ file, text }) =>
  [...text.matchAll(LITERAL)].map(([, source, flags]) => ({ file, source: source!, flags: flags! })),
)

it('LIN-01 there are expressions to look at', () => expect(found.length).toBeGreaterThan(10))

it.each(found)('LIN-02 /$source/$flags in $file', ({ source, flags }) => {
  expect(checkSync(source, flags).status).toBe('safe')
})
