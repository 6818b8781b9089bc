/** Files kept for the next start: one with any fault is made anew. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keepFile, keptBytes, keptJson } from '#core/config/project-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('KEPT-01 MUST take what cannot be read or replaced for none', () => {
  // Neither can be read by anybody, root included; a file of another user fails the same way.
  const unreadable = join(folder, 'unreadable')
  mkdirSync(unreadable)
  expect(keptBytes(unreadable)).toBeUndefined()
  expect(keptBytes(join(unreadable, 'absent', 'file'))).toBeUndefined()
  expect(keptJson(unreadable, () => 'made')).toBe('made')
  keepFile(unreadable, 'x')
  keepFile(join(folder, 'unreadable', '\0'), 'x')
})

it('KEPT-02 MUST find what was kept, and make anew what is damaged', () => {
  const file = join(folder, 'deeper', 'file.json')
  keepFile(file, '{"a":1}')
  expect(String(keptBytes(file))).toBe('{"a":1}')
  expect(keptJson(file, () => 'made')).toEqual({ a: 1 })
  writeFileSync(file, '{"a":')
  expect(keptJson(file, () => 'made')).toBe('made')
})
