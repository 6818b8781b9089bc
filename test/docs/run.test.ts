/** What the pages tell people to run answers as they print it, on the demo as it is at a first start. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { readText } from '../support/sources.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { openShell } from './shell.ts'

const PRINTED_ADDRESS = 'http://127.0.0.1:4000'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Ids and instants are new each time. */
const withoutNew = (json: string): unknown =>
  JSON.parse(
    json
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, '<time>'),
  )

it('DOCS-30 MUST answer each command of the tour as the README prints it', async () => {
  const blocks = blocksOf(sectionOf(readText('README.md'), 'A tour'))
  expect(blocks.map(({ language }) => language)).toEqual(Array(4).fill(['sh', 'json']).flat())
  using shell = openShell()
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue
    const answer = await shell.paste(text.replaceAll(PRINTED_ADDRESS, stack.address))
    expect(withoutNew(answer)).toEqual(withoutNew(blocks[index + 1]!.text))
    await stack.settled()
  }
})
