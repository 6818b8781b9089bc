/** Files in an encoding that spreadsheets write beside UTF-8: named as such. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { IMPORT_COLUMNS, readRows } from '#core/directory/read-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'encodings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const CSV = `${IMPORT_COLUMNS.join(',')}\n`
const little = (text: string) => Buffer.from(text, 'utf16le')
const big = (text: string) => little(text).swap16()

const read = async (name: string, bytes: Buffer) => {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  const rows = []
  for await (const row of readRows(file)) rows.push(row)
  return rows
}

it.each([
  ['a.csv', little(`\uFEFF${CSV}`)],
  ['b.csv', big(`\uFEFF${CSV}`)],
  ['c.csv', little(CSV)],
  ['d.csv', big(CSV)],
  ['e.json', little('{"accounts": []}')],
])('DIR-60 UTF-16 is named, with a byte order mark or without: %s', async (name, bytes) => {
  await expect(read(name, bytes)).rejects.toThrow(/is UTF-16; save it as UTF-8/)
})

it('DIR-61 UTF-8 is read, with a byte order mark or without', async () => {
  expect(await read('f.csv', Buffer.from(CSV))).toEqual([])
  expect(await read('g.csv', Buffer.from(`\uFEFF${CSV}`))).toEqual([])
})
