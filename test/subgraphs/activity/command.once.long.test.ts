/** `npm run cli -- activity rebuild` and `export timeline`, as an administrator runs it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createCli } from '../../cli/run.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'partner-graph-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const cli = createCli(dataDir, { DEMO: '1' })

it('ACT-50 rebuilds the timeline from the tables, again and again', { timeout: 120_000 }, async () => {
  const first = await cli('activity', 'rebuild', '--json')
  expect(first).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(first.stdout).entries).toBeGreaterThan(0)
  const { entries } = JSON.parse(first.stdout)
  expect((await cli('activity', 'rebuild')).stdout).toBe(`rebuilt the timeline: ${entries} entries\n`)
})

it('ACT-51 exports the timeline, narrowed by the filters of the graph', { timeout: 120_000 }, async () => {
  const file = join(dataDir, '..', `${basename(dataDir)}.csv`)
  const narrowed = ['--kinds', 'PAYMENT,RECHARGE', '--outcomes', 'COMPLETED', '--min-amount', '1']
  const { stdout } = await cli('export', 'timeline', '--format', 'ndjson', ...narrowed)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(new Set(rows.map(({ kind, outcome }) => `${kind} ${outcome}`))).toEqual(
    new Set(['PAYMENT COMPLETED', 'RECHARGE COMPLETED']),
  )
  expect(await cli('export', 'timeline', ...narrowed, '--output', file)).toMatchObject({
    code: 0,
    stdout: '',
  })
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n')
  rmSync(file)
  expect(head).toBe(Object.keys(rows[0]).join(','))
  expect(lines.map(line => line.slice(0, 36))).toEqual(rows.map(({ id }) => id))
  expect(await cli('export', 'timeline', '--kinds', 'NONE')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: --kinds: /),
  })
  expect(await cli('export', 'timeline', '--min-amount', 'much')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: --min-amount: /),
  })
})
