/** The product in a process of its own with a probe in it, on an embedded database in memory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Probed } from './probe.ts'

export interface ProbedServer extends AsyncDisposable {
  readonly address: string
  /** Changes of the process since the last look. */
  probe(): Promise<Probed>
  /** A token of a demo client; the same one again. */
  token(client?: string): Promise<string>
  /** Lines of the log at level error or above; emptied by whoever reads them. */
  readonly errors: string[]
  /** Whether it is no more: it has fallen, or was ended because it answered no probe. */
  hasEnded(): boolean
}

/** Nothing that is not at fault holds up a process for so long; what does is ended. */
const MAX_HELD_MS = 10_000

const ROOT = join(import.meta.dirname, '../../..')

const start = (
  env: Record<string, string>,
  flags: readonly string[],
  [program, ...args]: readonly string[],
) =>
  spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...flags,
      '--import',
      join(import.meta.dirname, 'probe.ts'),
      join(ROOT, program!),
      ...args,
    ],
    {
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: 'memory:', LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )

/** Resolves with the address; keeps reading, so that the process never waits for its log to be read. */
const readLog = (child: ChildProcess, errors: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const said: string[] = []
    createInterface({ input: child.stderr! }).on('line', line => said.push(line))
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${said.join('\n')}`)))
    createInterface({ input: child.stdout! }).on('line', line => {
      const address = /"msg":"ready"/.test(line) && /"address":"([^"]+)"/.exec(line)?.[1]
      if (address) resolve(address)
      if (/^\{"level":[56]0/.test(line)) errors.push(line)
    })
  })

const requestToken = async (address: string, client: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${client}-secret`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  if (!access_token) throw new Error(`no token for ${client}: ${response.status}`)
  return access_token
}

/** Starts it, or another program with its arguments; use with `await using`, or dispose in `afterAll`. */
export async function startProbed(
  env: Record<string, string> = {},
  flags: readonly string[] = [],
  program: readonly string[] = ['gateway/main.ts'],
): Promise<ProbedServer> {
  const child = start(env, flags, program)
  const exited = once(child, 'exit')
  const errors: string[] = []
  const address = await readLog(child, errors)
  const tokens = new Map<string, Promise<string>>()
  return {
    address,
    errors,
    hasEnded: () => child.killed || child.exitCode !== null,
    async probe() {
      const answer = once(child, 'message', { signal: AbortSignal.timeout(MAX_HELD_MS) })
      child.send('probe')
      const ended = exited.then(() => Promise.reject(new Error('the server has ended')))
      const [probed] = await Promise.race([answer, ended]).catch(error => {
        child.kill('SIGKILL')
        throw error
      })
      return probed as Probed
    },
    token(client = 'demo-partner') {
      const token = tokens.get(client) ?? requestToken(address, client)
      tokens.set(client, token)
      return token
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
