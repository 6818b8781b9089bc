/** Parsed documents that are kept are what parsing gives, and whatever else is found in their place is parsed anew. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { keptDocument, parseDocument, readDocumentText } from '#core/contract/openapi.ts'
import { SERVICES } from '#subgraphs/names.ts'

test.each(SERVICES.filter(({ rest }) => rest))('PARSED-01 of $name', ({ name }) => {
  const text = readDocumentText(name)
  const parsed = parse(text)
  expect(parseDocument(text)).toEqual(parsed)
  expect(JSON.parse(readFileSync(keptDocument(text), 'utf8'))).toEqual(parsed)
  expect(parseDocument(text)).toEqual(parsed)
})

test.each([
  ['half a file', '{"a":'],
  ['an empty one', ''],
])('PARSED-02 %s is replaced', (_, damage) => {
  const text = `a: ${JSON.stringify(damage)}`
  const file = keptDocument(text)
  writeFileSync(file, damage)
  try {
    expect(parseDocument(text)).toEqual({ a: damage })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: damage })
  } finally {
    rmSync(file)
  }
})
