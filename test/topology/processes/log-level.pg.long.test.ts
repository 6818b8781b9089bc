/** The level of the log over processes of their own: SIGHUP at their parent changes it in each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { createEmpty, SECRETS_KEY } from '#test/support/postgres.ts'
import { START_ALL } from '#test/support/process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LONG_MS = 180_000
const CHANGED = 'the level of the log was changed'
const PROCESSES = SERVICES.length + 1

test.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'SUBGRAPH-PROC-30 MUST change in every process at SIGHUP, and back',
  { timeout: LONG_MS },
  async () => {
    const scratch = await createEmpty()
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(ROOT, START_ALL.file)],
      {
        env: {
          PATH: process.env['PATH'],
          ...{ DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '1', PORT: '0', LOG_LEVEL: 'warn' },
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
      await scratch.drop()
    })
    const levels: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      if (START_ALL.address.test(line)) child.kill('SIGHUP')
      if (!line.includes(CHANGED)) continue
      levels.push(/"logLevel":"(\w+)"/.exec(line)![1]!)
      if (levels.length === PROCESSES) child.kill('SIGHUP')
      if (levels.length === 2 * PROCESSES) child.kill('SIGTERM')
    }
    const each = (level: string) => Array.from({ length: PROCESSES }, () => level)
    expect(levels).toEqual([...each('debug'), ...each('warn')])
    expect((await exited)[0]).toBe(0)
  },
)
