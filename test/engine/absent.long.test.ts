/** The program without the folder engine/: it starts, says so once, and Apollo Gateway executes every operation. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGraph } from '#test/support/graph.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Everything that a server loads; files are copied, since Node.js would resolve links to a folder beside engine/. */
const COPIED = ['package.json', 'core', 'subgraphs', 'gateway', 'prisma', 'schema']

vi.setConfig({ testTimeout: 120_000 })

const copyProgram = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'without-engine-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

const fetchToken = async (address: string): Promise<string> => {
  const response = await fetch(`${address}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('demo-analyst:demo-analyst-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

test('ENGINE-01 MUST start and execute operations without the folder engine/', async () => {
  const child = spawn(process.execPath, ['gateway/main.ts'], {
    cwd: copyProgram(),
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: 'memory:', DEMO: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const log: Record<string, unknown>[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    log.push(JSON.parse(line))
    const address = log.at(-1)!['address']
    if (typeof address !== 'string') continue
    const ask = createGraph(address)
    const token = await fetchToken(address)
    // The second request of a text would take the fast path.
    for (let request = 0; request < 2; request += 1) {
      const { data, errors } = await ask('{ payments(first: 1) { totalCount } }', { token })
      expect(errors).toEqual([])
      expect(data.payments.totalCount).toBeGreaterThan(0)
    }
    child.kill('SIGTERM')
  }
  expect(await exited).toEqual([0, null])
  const said = log.filter(({ msg }) => String(msg).includes('not compiled'))
  expect(said).toMatchObject([
    { msg: 'operations are not compiled: this installation has no folder engine/' },
  ])
})
