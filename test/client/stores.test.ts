/** Stores of cursors: all alike; those in files and in IndexedDB outlast their process or page. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { IDBFactory } from 'fake-indexeddb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CursorStore, memoryCursorStore } from '#client/index.ts'
import { indexedDbCursorStore } from '#client/indexed-db.ts'
import { fileCursorStore } from '#client/node.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cursors-'))
  vi.stubGlobal('indexedDB', new IDBFactory())
})
afterAll(() => {
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true })
})

const STORES: [name: string, open: () => CursorStore][] = [
  ['memory', memoryCursorStore],
  ['file', () => fileCursorStore(join(folder, 'new'))],
  ['IndexedDB', () => indexedDbCursorStore('cursors')],
]

describe.each(STORES)('%s', (kind, open) => {
  it('CLIENT-STORE-01 has nothing at first, then the last cursor of each name', async () => {
    const store = open()
    expect(await store.get('one')).toBeUndefined()
    await store.set('one', 'a')
    await store.set('two', 'b')
    await store.set('one', 'c')
    expect([await store.get('one'), await store.get('two')]).toEqual(['c', 'b'])
  })

  it.skipIf(kind === 'memory')('CLIENT-STORE-02 has it in another process or page too', async () => {
    expect(await open().get('one')).toBe('c')
  })
})

it('CLIENT-STORE-03 a file is written beside its place, and nothing of it is left', async () => {
  const store = fileCursorStore(folder)
  await store.set('billing', 'cursor-1')
  expect(readdirSync(folder).filter(name => name.startsWith('billing'))).toEqual(['billing.cursor'])
  expect(readFileSync(join(folder, 'billing.cursor'), 'utf8')).toBe('cursor-1\n')
})

it('CLIENT-STORE-04 a name that would leave the folder is refused', async () => {
  const store = fileCursorStore(folder)
  for (const name of ['', '../up', '.hidden', 'a/b', 'x'.repeat(101)])
    await expect(store.set(name, 'cursor')).rejects.toThrow('the name of a cursor must be')
})

it('CLIENT-STORE-05 a database that cannot be opened is told, and tried again', async () => {
  const store = indexedDbCursorStore('later')
  const real = globalThis.indexedDB
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('no storage in private windows', 'InvalidStateError')
    },
  })
  await expect(store.get('one')).rejects.toThrow('no storage')
  vi.stubGlobal('indexedDB', real)
  await store.set('one', 'a')
  expect(await store.get('one')).toBe('a')
})
