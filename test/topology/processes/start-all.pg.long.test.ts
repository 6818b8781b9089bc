/** `npm run start:all`: one of its processes is killed, and its gateway is that of a demo. */
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

it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
  'SUBGRAPH-PROC-32 MUST serve a demo as one process does: its origins, its clients, explained operations',
  async () => {
    const scratch = await createEmpty()
    onTestFinished(() => scratch.drop())
    const all = await startProcess({ DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '1' }, START_ALL)
    onTestFinished(async () => void (await all.stop()))
    const origin = 'http://localhost:3000'
    const answer = await fetch(`${all.address}/oauth2/accesstoken`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('demo-analyst:demo-analyst-secret')}`, origin },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const explained = await fetch(`${all.address}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-explain': '1' },
      body: JSON.stringify({ query: '{ me { id } }' }),
    })
    expect(await explained.json()).toMatchObject({
      data: { me: { id: 'demo-analyst' } },
      extensions: { explain: {} },
    })
    const page = await fetch(all.address, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('demo-analyst')
  },
  LONG_MS,
)
