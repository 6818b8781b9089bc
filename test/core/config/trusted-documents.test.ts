/** `TRUSTED_DOCUMENTS` and `TRUSTED_ONLY`: manifests as clients' tools write them, and what is wrong with others. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const read = (path?: string, only?: string) =>
  readConfig({ TRUSTED_DOCUMENTS: path, TRUSTED_ONLY: only }).trusted

const APOLLO = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: 'a1', name: 'Me', type: 'query', body: 'query Me { me { id } }' }],
}

describe('TRUSTED_DOCUMENTS', () => {
  it('TRUSTED-40 MUST be none unless set', () => {
    expect(read()).toEqual({ documents: [], only: false })
  })

  it('TRUSTED-41 MUST be the manifest of each tool', () => {
    const me = { id: 'a1', text: 'query Me { me { id } }' }
    expect(read(write('apollo.json', APOLLO), '1')).toEqual({ documents: [me], only: true })
    expect(read(write('relay.json', { a1: me.text }))).toEqual({ documents: [me], only: false })
  })

  it('TRUSTED-42 MUST be an operation in a file, by the SHA-256 of its text', () => {
    const text = '# Who asks.\nquery Me { me { id } }\n'
    const id = createHash('sha256').update(text).digest('hex')
    expect(read(write('me.graphql', text)).documents).toEqual([{ id, text }])
  })

  it.each([
    ['an array', [], 'it is neither the manifest of Apollo'],
    ['another version', { ...APOLLO, version: 2 }, 'it is neither the manifest of Apollo'],
    [
      'an operation without a body',
      { ...APOLLO, operations: [{ id: 'a' }] },
      'it is neither the manifest of Apollo',
    ],
    ['a text that is none', { a: 5 }, 'it is neither the manifest of Apollo'],
    ['no JSON', '{', 'it is not JSON'],
    ['nothing in it', {}, 'must have an operation, and has none'],
  ])('TRUSTED-43 MUST be refused in one sentence: %s', (_, content, fault) => {
    const path = write('faulty.json', content)
    expect(() => read(path)).toThrow(`TRUSTED_DOCUMENTS ${path}`)
    expect(() => read(path)).toThrow(fault)
    expect(() => read(path)).toThrow(/^The configuration has 1 fault\(s\):\n[^\n]+$/)
  })

  it('TRUSTED-44 MUST be refused where it is not there, or says one id of two texts', () => {
    expect(() => read(join(folder, 'nowhere'))).toThrow(/TRUSTED_DOCUMENTS \S+nowhere cannot be read: ENOENT/)
    const own = mkdtempSync(join(folder, 'two-'))
    writeFileSync(join(own, 'a.json'), '{"x":"{ __typename }"}')
    writeFileSync(join(own, 'b.json'), '{"x":"{ me { id } }"}')
    expect(() => read(own)).toThrow('TRUSTED_DOCUMENTS must have one text for each id: x has several')
    writeFileSync(join(own, 'b.json'), '{"x":"{ __typename }"}')
    expect(read(own).documents).toHaveLength(1)
  })

  it('TRUSTED-45 MUST be reported with all faults', () => {
    const wrong = { TRUSTED_ONLY: '1', PORT: 'x' }
    expect(() => readConfig(wrong)).toThrow('TRUSTED_DOCUMENTS must be set when TRUSTED_ONLY is 1')
    expect(() => readConfig(wrong)).toThrow('The configuration has 2 fault(s)')
    const own = mkdtempSync(join(folder, 'both-'))
    writeFileSync(join(own, 'a.json'), '[]')
    writeFileSync(join(own, 'b.json'), '{')
    expect(() => readConfig({ ...wrong, TRUSTED_DOCUMENTS: own })).toThrow('The configuration has 3 fault(s)')
  })
})
