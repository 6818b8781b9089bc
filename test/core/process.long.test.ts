/** The product as a process: it ends on a signal, whatever part of it does not. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const url = (file: string) => JSON.stringify(join(ROOT, file))

/** Everything in one process, with a part that never stops and keeps the process alive; it says how it listens. */
const HANGING = `
import { Server } from 'node:net'
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  console.log(JSON.stringify({ msg: 'listening', backlog: args[0].backlog }))
  return listen.apply(this, args)
}
const { createServer } = await import(${url('core/create-server.ts')})
const { runProcess } = await import(${url('core/process.ts')})
await runProcess({
  usage: '',
  create: app => createServer(app, async ({ resources }) => {
    resources.add({ name: 'a part', stop: () => new Promise(() => setInterval(() => undefined, 1_000)) })
    return {}
  }),
  banner: address => address,
})`

// Both start a process of their own, which takes long where many do.
vi.setConfig({ testTimeout: 120_000 })

const SETTINGS = {
  PORT: '0',
  DATA_DIR: 'memory:',
  DEMO: '0',
  REQUEST_TIMEOUT_MS: '100',
}

/** Runs a program until it says that it is ready, tells it to stop, and returns its exit code and log. */
const runAndStop = async (args: string[]) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: { PATH: process.env['PATH'], ...SETTINGS },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const log: Record<string, unknown>[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    log.push(JSON.parse(line))
    if (log.at(-1)!['msg'] === 'ready') child.kill('SIGTERM')
  }
  const [code] = await exited
  return { code, log }
}

test('PROCESS-01 ends with 0 when everything has stopped', async () => {
  const { code, log } = await runAndStop([join(ROOT, 'gateway/main.ts')])
  expect(code).toBe(0)
  expect(log.map(({ msg }) => msg).slice(-2)).toEqual(['ready', 'stopping'])
  expect(log.at(-1)).toMatchObject({ reason: 'SIGTERM' })
})

/** Runs a program that does not start, and returns its exit code and standard error. */
const runToEnd = async (file: string, args: string[], settings: Record<string, string>) => {
  const env = { PATH: process.env['PATH'], ...SETTINGS, LOG_LEVEL: 'silent', ...settings }
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...args],
    { env, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { said, code }
}

test('PROCESS-03 MUST say in one sentence why it cannot start', async () => {
  const ended = await Promise.all([
    runToEnd('subgraphs/main.ts', ['messaging'], { HOST: '192.0.2.1' }),
    runToEnd('gateway/main.ts', [], { SUPERGRAPH: '/nowhere.graphql' }),
  ])
  expect(ended).toEqual([
    {
      said: 'It cannot listen at HOST 192.0.2.1, PORT 0: that is no address of this machine (EADDRNOTAVAIL)\n',
      code: 1,
    },
    {
      said: expect.stringMatching(/^SUPERGRAPH \/nowhere\.graphql cannot be read: ENOENT[^\n]*\n$/),
      code: 1,
    },
  ])
})

test('PROCESS-02 listens with LISTEN_BACKLOG; ends with 1 when something does not stop, and names it', async () => {
  const { code, log } = await runAndStop(['--input-type=module', '-e', HANGING])
  expect(code).toBe(1)
  expect(log).toContainEqual({ msg: 'listening', backlog: 4_096 })
  expect(log.at(-1)).toMatchObject({ part: 'a part', msg: 'stopping failed' })
})

test('PROCESS-05 MUST change the level of its log to debug and back at SIGHUP, and go on', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'gateway/main.ts')],
    {
      env: { PATH: process.env['PATH'], ...SETTINGS, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const levels: unknown[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes(' is ready at ')) child.kill('SIGHUP')
    if (!line.startsWith('{')) continue
    const { logLevel } = JSON.parse(line)
    if (logLevel === undefined) continue
    levels.push(logLevel)
    child.kill(levels.length < 3 ? 'SIGHUP' : 'SIGTERM')
  }
  expect(levels).toEqual(['debug', 'warn', 'debug'])
  expect((await exited)[0]).toBe(0)
})

test('PROCESS-06 MUST end when it cannot start, although a parent has a channel to it', async () => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'gateway/main.ts')],
    {
      env: { PATH: process.env['PATH'], ...SETTINGS, DATA_DIR: '/dev/null/data' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  const [[code], error] = await Promise.all([once(child, 'exit'), text(child.stderr!)])
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('/dev/null/data') })
})
