/** Attempts of an anonymous client or another user of the machine: secrets, files, protocols, headers. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { audit, type Rule } from '../support/audit.ts'
import { READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { note } from './support/figures.ts'
import { FORM } from './support/form.ts'
import { faultsOfGraph, faultsOfRest } from './support/judge.ts'
import { exchange, readAnswers } from './support/raw.ts'

let stack: Stack
let token: string
let dataDir: string
const logLines: string[] = []
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'partner-graph-files-'))
  stack = await startStack({ env: { DATA_DIR: dataDir }, logLines })
  token = await stack.token({ id: 'honest', role: 'partner', secret: 'honest-secret-1' })
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

const requestToken = (id: string, secret: string) =>
  fetch(`${stack.address}/oauth2/accesstoken`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  })

const noteOne = (what: string, cases: number, faults: readonly unknown[]) =>
  note({ part: 'attack', what, cases, faults: faults.length })

const raw = async (lines: readonly string[]) =>
  readAnswers(await exchange(stack.address, `${lines.join('\r\n')}\r\n\r\n`))

const judgeGraph = async (body: object) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return faultsOfGraph(
    { method: 'POST', path: '/graphql', headers },
    { status: response.status, headers: response.headers, text: await response.text() },
  )
}

/** Each guess costs what a guess is meant to cost, so this one is not among the bounded. */
const GUESSING: Rule<[]> = [
  '02',
  'MUST take the right secret of one client while another at its address guesses',
  async () => {
    for (let tried = 0; tried < 120; tried++) await requestToken(`invented-${tried}`, 'wrong-secret')
    const { status } = await requestToken('honest', 'honest-secret-1')
    noteOne('guessed secrets of invented clients', 120, status === 200 ? [] : [status])
    expect(status).toBe(200)
  },
]

audit('SECURITY-ACCESS', [
  [
    '01',
    'MUST let nobody but the owner at the files of the embedded database',
    async () => {
      const names = ['', ...readdirSync(dataDir, { recursive: true }).map(String)]
      // PostgreSQL sets the modes of its relation caches itself; their folders are closed.
      const own = names.filter(name => !name.endsWith('pg_internal.init'))
      const open = own.filter(name => (statSync(join(dataDir, name)).mode & 0o077) !== 0)
      noteOne('files and folders of the database', names.length, open)
      expect(open.slice(0, 3)).toEqual([])
    },
  ],
  ...(FORM === 'bounded' ? [] : [GUESSING]),
  [
    '03',
    'MUST refuse two Host headers',
    async () => {
      const [answer] = await raw([
        'GET /health/live HTTP/1.1',
        'Host: 127.0.0.1',
        'Host: other.example',
        'Connection: close',
      ])
      noteOne('two hosts', 1, answer?.status === 400 ? [] : [answer])
      expect(answer?.status).toBe(400)
    },
  ],
  [
    '04',
    'MUST go on with HTTP/1.1 when an unknown upgrade is requested (RFC 9110, 7.8)',
    async () => {
      const [answer] = await raw([
        'GET /health/live HTTP/1.1',
        'Host: a',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      ])
      noteOne('upgrade to h2c', 1, answer?.status === 200 ? [] : [answer])
      expect(answer?.status).toBe(200)
    },
  ],
  ...READABLE.map(
    ({ path, name }, index) =>
      [
        `1${index}`,
        `MUST answer a malformed x-correlator with a status that is declared: reading by id of ${name}`,
        async () => {
          const headers = { authorization: `Bearer ${token}`, 'x-correlator': 'a b' }
          const sent = { method: 'GET', path: `${path}/x`, headers }
          const response = await fetch(stack.address + sent.path, { headers })
          const faults = faultsOfRest(sent, {
            status: response.status,
            headers: response.headers,
            text: await response.text(),
          })
          noteOne(`malformed x-correlator, ${name}`, 1, faults)
          expect(faults).toEqual([])
        },
      ] as const,
  ),
  [
    '20',
    'MUST refuse a persisted query of another hash, and one without, as a fault of the request',
    async () => {
      const hashes = ['0'.repeat(64), 'x', '']
      const extensions = hashes.map(sha256Hash => ({ persistedQuery: { version: 1, sha256Hash } }))
      const bodies = [...extensions, { persistedQuery: { version: 9 } }, { persistedQuery: 1 }]
      const faults: string[] = []
      for (const one of bodies)
        faults.push(...(await judgeGraph({ query: '{ __typename }', extensions: one })))
      noteOne('persisted queries', bodies.length, faults)
      expect([...faults, ...logLines.splice(0).map(line => line.slice(0, 200))]).toEqual([])
    },
  ],
])
