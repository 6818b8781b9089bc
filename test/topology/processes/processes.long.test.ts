/** Services as processes: how one is started by its name, and stopped. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { ChildServer, type Program, StartError } from '#topology/processes/child.ts'

const ROOT = join(import.meta.dirname, '../../..')

const run = async (file: string, args: string[], env: Record<string, string> = {}) => {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, file), ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
  return { said: said.trim(), code }
}

describe('starting', () => {
  it('SUBGRAPH-PROC-01 MUST name the services in one line when there is none of that name', async () => {
    const { said, code } = await run('subgraphs/main.ts', ['parking'])
    expect(code).toBe(1)
    expect(said.split('\n')).toHaveLength(1)
    for (const { name } of SERVICES) expect(said).toContain(name)
  })

  it('SUBGRAPH-PROC-02 MUST say that all processes together need PostgreSQL', async () => {
    const { said, code } = await run('topology/start-all.ts', [])
    expect(code).toBe(1)
    expect(said).toContain('DATABASE_URL must be set')
  })

  it('SUBGRAPH-PROC-03 MUST say in one sentence why a gateway cannot start', {
    timeout: 120_000,
  }, async () => {
    const settings = { PORT: '0', DATA_DIR: 'memory:', DEMO: '0', LOG_LEVEL: 'silent' }
    const { said, code } = await run('topology/gateway-only.ts', [], {
      ...settings,
      SUPERGRAPH: '/nowhere.graphql',
    })
    expect(code).toBe(1)
    expect(said).toMatch(/^SUPERGRAPH \/nowhere\.graphql cannot be read: ENOENT[^\n]*$/)
  })
})

/** A program with a log, of which it does something once its standard input ends. */
const withLog = (
  work: string,
) => `import(${JSON.stringify(join(ROOT, 'core/observability/log.ts'))}).then(({ createLog, finishLog }) => {
  const log = createLog('info')
  process.stdin.resume().once('end', () => { ${work} })
})`

const LAST_LINES = withLog(`
  for (const line of ['one', 'two', 'three']) log.info(line)
  finishLog(log).then(() => process.exit(0))`)

/** Logs when the response to a stream closes, which the stop does not wait for, and once more when nothing is written any longer. */
const LATE_LINES = withLog(`
  log.info('stopping')
  setTimeout(() => log.info('a stream has closed'), 20)
  finishLog(log).then(() => {
    log.info('too late')
    process.exit(0)
  })`)

const startProgram = (program: string) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('ending', () => {
  it('SUBGRAPH-PROC-20 MUST end although nobody reads its log any more', async () => {
    const child = startProgram(LAST_LINES)
    child.stdout.destroy()
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('SUBGRAPH-PROC-21 MUST log what ends last, and end with 0 whatever is logged after', async () => {
    const child = startProgram(LATE_LINES)
    const written = text(child.stdout)
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
    const lines = (await written).trim().split('\n')
    expect(lines.map(line => JSON.parse(line).msg)).toEqual(['stopping', 'a stream has closed'])
  })
})

/** A process that says that it listens, on its port, and lives until it is ended. */
const SERVER = `const server = require('node:http').createServer().listen(process.env.PORT, '127.0.0.1', () =>
  console.log('partner-graph x is ready at http://127.0.0.1:' + server.address().port))`

/** Keeps the product in a process, and says at which port. */
const KEEPER = `import(${JSON.stringify(join(ROOT, 'topology/processes/child.ts'))}).then(async ({ ChildServer }) => {
  const program = { name: 'x', args: [${JSON.stringify(join(ROOT, 'gateway/main.ts'))}], env: {}, stopMs: 10_000 }
  const { address } = await ChildServer.start(program, () => undefined, () => undefined)
  console.log(new URL(address).port)
})`

/** Hears that it should end, and does not. */
const HANGING = `process.on('SIGTERM', () => console.log('signalled to end')); ${SERVER}`

const program = (script: string, stopMs: number): Program => ({
  name: 'x',
  args: ['-e', script],
  env: { PORT: '0' },
  stopMs,
})

describe('keeping', () => {
  const started: ChildServer[] = []
  afterEach(() => Promise.all(started.splice(0).map(kept => kept.stop())))

  /** Starts a process and keeps its lines; `line` resolves with the next that matches. */
  const keep = async (script: string, stopMs = 10_000) => {
    const lines: string[] = []
    let wake: () => void = () => undefined
    const kept = await ChildServer.start(
      program(script, stopMs),
      one => started.push(one),
      (_, line) => {
        lines.push(line)
        wake()
      },
    )
    const line = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = lines.find(one => pattern.test(one))
        if (found) return found
        await new Promise<void>(said => (wake = said))
      }
    }
    return { kept, line }
  }

  it('SUBGRAPH-PROC-10 MUST say that one was killed', async () => {
    const { kept, line } = await keep(SERVER)
    process.kill(kept.pid!, 'SIGKILL')
    await kept.ended
    expect(await line(/ended by itself/)).toBe('ended by itself (SIGKILL)')
  })

  it('SUBGRAPH-PROC-11 MUST NOT say so of one that had to stop', async () => {
    const { kept, line } = await keep(SERVER)
    await kept.stop()
    const said = line(/ended by itself/).then(() => 'said')
    expect(await Promise.race([said, new Promise(done => setImmediate(done, 'stopped'))])).toBe('stopped')
  })

  it('SUBGRAPH-PROC-14 MUST kill one that does not end in time, and report that', async () => {
    const { kept, line } = await keep(HANGING, 500)
    await kept.stop()
    expect(await line(/signalled/)).toBe('signalled to end')
    expect(await line(/killed/)).toBe('did not end within 500 ms of SIGTERM; killed')
    expect(() => process.kill(kept.pid!, 0)).toThrow('ESRCH')
  })

  it('SUBGRAPH-PROC-12 MUST give up on one that ends before it is ready', async () => {
    await expect(keep('process.exit(3)')).rejects.toThrow(StartError)
  })

  it('SUBGRAPH-PROC-13 MUST end when the process that keeps it was killed', async () => {
    const keeper = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', KEEPER], {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: 'memory:', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await once(createInterface({ input: keeper.stdout! }), 'line')
    const connection = connect(Number(said), '127.0.0.1').on('error', () => undefined)
    await once(connection, 'connect')
    const closed = new Promise(done => connection.once('close', done))
    keeper.kill('SIGKILL')
    await closed
    await expect(fetch(`http://127.0.0.1:${said}/health/live`)).rejects.toThrow()
  })
})
