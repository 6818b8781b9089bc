/** `directory import` as an administrator runs it: what was added, what was changed, which rows are wrong. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createCli } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-directory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const cli = createCli(join(folder, 'data'))
const DEMO = join(import.meta.dirname, '../../prisma/demo/directory.json')

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

describe('directory import', { timeout: 60_000 }, () => {
  it('CLI-30 imports a directory, quietly where there is no terminal', async () => {
    const { code, stdout, stderr } = await cli('directory', 'import', DEMO, '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toMatchObject([{ accounts: { added: 13 }, lines: { added: 19 } }])
    expect((await cli('directory', 'import', DEMO)).stdout).toMatch(/^accounts +0 +0 +13$/m)
  })

  it('CLI-31 sets balances when requested', async () => {
    const path = file('dues.csv', 'customerAccountNumber,totalDues\n900001,5\n')
    await cli('directory', 'import', path)
    writeFileSync(path, 'customerAccountNumber,totalDues\n900001,7\n')
    const [kept, set] = [
      await cli('directory', 'import', path, '--json'),
      await cli('directory', 'import', path, '--json', '--set-balances'),
    ]
    expect(JSON.parse(kept.stdout).balances).toEqual({ added: 0, changed: 0, unchanged: 1 })
    expect(JSON.parse(set.stdout).balances).toEqual({ added: 0, changed: 1, unchanged: 0 })
  })

  it('CLI-32 says which rows are wrong and why', async () => {
    const path = file(
      'faulty.csv',
      'customerAccountNumber,lineKind,lineNumber\n1,phone,12\n,phone,91000001\n',
    )
    const { code, stdout, stderr } = await cli('directory', 'import', path, '--json')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.split('\n')).toEqual([
      'error: Nothing was imported, the file has 2 fault(s):',
      expect.stringMatching(/^ {2}line 2, lineNumber must be a phone number/),
      '  line 3, customerAccountNumber is required',
      '',
    ])
  })
})
