/** A worker that stands still, as one does whose event loop never turns again: it is killed, and another takes its place. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

const PROGRAM = join(import.meta.dirname, 'primary-program.ts')

test('WORKERS-06 a worker that hangs is killed and replaced, and the other goes on', async () => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout! })
  const served: number[] = []
  const logged: string[] = []
  lines.on('line', line => {
    if (line.startsWith('worker ')) served.push(Number(line.slice('worker '.length)))
    else logged.push(line)
  })
  try {
    await expect.poll(() => served.length, { timeout: 60_000 }).toBe(2)
    const [hanging, other] = served
    process.kill(hanging!, 'SIGSTOP')
    await expect.poll(() => served.length, { timeout: 60_000 }).toBe(3)
    expect(() => process.kill(hanging!, 0)).toThrow('ESRCH')
    expect(process.kill(other!, 0)).toBe(true)
    expect(logged.map(line => JSON.parse(line).msg)).toEqual([
      'a worker hangs; it is killed',
      'a worker ended by itself; another takes its place',
    ])
  } finally {
    child.kill('SIGTERM')
  }
  expect((await ended)[0]).toBe(0)
}, 180_000)
