/** `npm run start:all`, one of whose processes is killed. */
import { execFileSync } from 'node:child_process'
import { expect, it, onTestFinished } from 'vitest'
import { createEmpty, SECRETS_KEY } from '#test/support/postgres.ts'
import { START_ALL, startProcess } from '#test/support/process.ts'

const LONG_MS = 120_000

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .split('\n')
    .map(Number)
    .filter(Boolean)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'SUBGRAPH-PROC-31 MUST end with 1, and leave no process behind, when one of its processes is killed',
  async () => {
    const scratch = await createEmpty()
    onTestFinished(() => scratch.drop())
    const all = await startProcess({ DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '0' }, START_ALL)
    const children = childrenOf(all.pid).filter(isAlive)
    expect(children.length).toBeGreaterThanOrEqual(7)
    process.kill(children.at(-1)!, 'SIGKILL')
    await expect.poll(() => [all.pid, ...children].filter(isAlive), { timeout: 60_000 }).toEqual([])
    expect(await all.stop()).toBe(1)
  },
  LONG_MS,
)
