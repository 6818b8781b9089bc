/** Hive Gateway as a process of its own, over the project's supergraph; it is installed by `npm run test:portable`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const START = join(import.meta.dirname, '../../bench/hive/start.ts')

export interface Hive extends AsyncDisposable {
  readonly address: string
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts it over these subgraphs, with these settings. */
export async function startHive(
  urls: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<Hive> {
  const port = await freePort()
  const subgraphs = Object.entries(urls).map(([name, url]) => `${name}=${url}`)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', START], {
    env: { PATH: process.env['PATH'], PORT: String(port), SUBGRAPH_URLS: subgraphs.join(','), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (line.includes('is ready')) break
  }
  if (!lines.at(-1)?.includes('is ready')) throw new Error(`Hive Gateway did not start:\n${lines.join('\n')}`)
  child.stdout.resume()
  return {
    address: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
