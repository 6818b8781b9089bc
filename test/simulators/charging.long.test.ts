/** Start of the charging simulator with settings that cannot hold: each is refused with a sentence that says why. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const MAIN = join(import.meta.dirname, '../../simulators/charging/main.ts')

/** Runs the simulator until it ends by itself. */
const run = async (env: Record<string, string>) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN], {
    env: { PATH: process.env['PATH'], DATA_DIR: 'memory:', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  })
  const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, error: error.trim() }
}

it('CHARGING-SIMULATOR-01 a port that is taken is named, without a stack', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { code, error } = await run({ PORT: String(port) })
  expect({ code, error }).toEqual({
    code: 1,
    error: `listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  })
  server.close()
  await once(server, 'close')
})

it('CHARGING-SIMULATOR-02 faults that are no JSON are refused by the name of the setting', async () => {
  const { code, error } = await run({ FAULTS: 'lost' })
  expect(code).toBe(1)
  expect(error).toMatch(/^FAULTS must be JSON such as \[\{ "fault": "lost", "share": 0\.3 \}\]: /)
})

it('CHARGING-SIMULATOR-03 callbacks without a secret to sign them are refused', async () => {
  const { code, error } = await run({ CALLBACK_URL: 'http://127.0.0.1:1/charging/callbacks' })
  expect(code).toBe(1)
  expect(error).toBe('CHARGING_CALLBACK_SECRET must be set where CALLBACK_URL is, not ""')
})
