/**
 * Starts Grafbase's gateway, a program written in Rust, over subgraphs at given addresses, after
 * `npm ci --ignore-scripts --prefix bench/grafbase`. It verifies no token, since its plugin for that is only to be had from
 * its makers' registry; it passes the token on, as the others do.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { print } from 'graphql'
import { cpuSecondsOf } from '../lib/cpu-seconds.ts'
import { freePort, type Server } from '../lib/server.ts'
import type { Stub } from '../servers/stub-subgraphs.ts'

const PROGRAM = join(import.meta.dirname, 'node_modules/@grafbase/cli-x86_64-unknown-linux-musl/grafbase')
const READY_WITHIN_MS = 30_000

/** Whether it is installed: it is 104 MB, and a yardstick alone. */
export const isInstalled = (): boolean => existsSync(PROGRAM)

const PASS_ON = `[[headers]]
rule = "forward"
name = "authorization"
`

const sectionOf = ({ name }: Stub, url: string) => `[subgraphs.${name}]
url = "${url}"
schema_path = "${name}.graphql"
`

/** Writes its configuration and the subgraphs' schemas. */
const configure = async (folder: string, stubs: readonly Stub[], port: number) => {
  const sections = stubs.map((stub, index) => sectionOf(stub, `http://127.0.0.1:${port + index}/graphql`))
  for (const { name, typeDefs } of stubs) await writeFile(join(folder, `${name}.graphql`), print(typeDefs))
  await writeFile(join(folder, 'grafbase.toml'), `${sections.join('\n')}\n${PASS_ON}`)
}

const untilAnswering = async (address: string) => {
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await fetch(`${address}/health`).then(Boolean, () => false))) {
    if (Date.now() > deadline) throw new Error(`Grafbase's gateway does not answer at ${address}`)
    await new Promise(done => setTimeout(done, 50))
  }
}

const unsupported = async (): Promise<never> => {
  throw new Error('this program is not of this project, and serves no calls')
}

/**
 * Starts it over subgraphs whose ports follow each other.
 * @throws Error where it does not answer in time.
 */
export async function startGrafbase(stubs: readonly Stub[], firstPort: number): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-bench-'))
  await configure(folder, stubs, firstPort)
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const child = spawn(PROGRAM, ['dev', '--listen-address', `127.0.0.1:${port}`], {
    cwd: folder,
    env: { HOME: folder },
    stdio: 'ignore',
  })
  await untilAnswering(address)
  return {
    address,
    call: unsupported,
    memory: unsupported,
    cpuSeconds: async () => cpuSecondsOf(child.pid!),
    pids: async () => [child.pid!],
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      await rm(folder, { recursive: true })
    },
  }
}
