/** `npm run cli -- activity rebuild`, as an administrator runs it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
