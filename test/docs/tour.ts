/** The tour of the README, run against a server that holds a fresh demo. */
import { expect } from 'vitest'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { readText } from '../support/sources.ts'
import { openShell } from './shell.ts'

/** The address in the pages' commands. */
const PRINTED_ADDRESS = 'http://127.0.0.1:4000'

/** Ids and instants are new each time. */
const withoutNew = (json: string): unknown =>
  JSON.parse(
    json
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, '<time>'),
  )

/**
 * Pastes the tour's commands one after the other and compares each response with the printed one.
 * @param settled resolves when what was posted so far is settled and in the timeline.
 */
export async function expectTour(address: string, settled: () => Promise<unknown>): Promise<void> {
  const blocks = blocksOf(sectionOf(readText('README.md'), 'A tour'))
  expect(blocks.map(({ language }) => language)).toEqual(Array(4).fill(['sh', 'json']).flat())
  using shell = openShell()
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue
    const answer = await shell.paste(text.replaceAll(PRINTED_ADDRESS, address))
    expect(withoutNew(answer)).toEqual(withoutNew(blocks[index + 1]!.text))
    await settled()
  }
}
