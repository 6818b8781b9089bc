/** Secrets that must be found nowhere: card numbers, security codes, tokens and secrets of a whole run, over every interface. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Receiver, startReceiver } from '#test/core/webhooks/receiver.ts'
import { audit } from '../support/audit.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { everyRow } from './support/every-row.ts'
import { note } from './support/figures.ts'
import { CALLBACK_TOKEN, runWithSecrets, SECRETS, type Spoken } from './support/secret-run.ts'

let stack: Stack
let receiver: Receiver
let dataDir: string
let spoken: Spoken
let rows: string[]
const logLines: string[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'partner-graph-secrets-'))
  receiver = await startReceiver()
  const env = { LOG_LEVEL: 'trace', DATA_DIR: dataDir, WEBHOOK_ALLOW: '127.0.0.1' }
  stack = await startStack({ env, logLines })
  spoken = await runWithSecrets(stack, receiver)
  rows = await everyRow(stack.app.db)
  await stack[Symbol.asyncDispose]()
})
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Every file below the data directory but the key that encrypts what must be sent again. */
const files = (): string[] =>
  readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter(one => one.isFile() && one.name !== 'secrets.key')
    .map(one => readFileSync(join(one.parentPath, one.name), 'latin1'))

/** @throws Error naming the secrets found, by their names and never by themselves, and how often. */
const expectNone = (what: string, texts: readonly string[], but: readonly string[] = []) => {
  expect(texts.length, what).toBeGreaterThan(0)
  const searched = { ...SECRETS, ...spoken.tokens }
  const found = Object.entries(searched).flatMap(([name, secret]) => {
    const times = but.includes(name) ? 0 : texts.filter(text => text.includes(secret)).length
    return times > 0 ? [`${name} in ${times} of ${texts.length}`] : []
  })
  note({ part: 'secrets', what, cases: texts.length, faults: found.length })
  expect(found, what).toEqual([])
}

audit('SECURITY-SECRET', [
  ['01', 'MUST be in no row of any table', async () => expectNone('rows of all tables', rows)],
  [
    '02',
    'MUST be in no file of the embedded database',
    async () => expectNone('files under DATA_DIR', files()),
  ],
  [
    '03',
    'MUST be in no line of the log, at level trace',
    async () => expectNone('lines of the log', logLines),
  ],
  ['04', 'MUST be in no answer, of whatever status', async () => expectNone('answers', spoken.answers)],
  ['05', 'MUST be in no metric', async () => expectNone('metrics', [spoken.metrics])],
  ['06', 'MUST be in no event of a stream', async () => expectNone('events of a stream', spoken.events)],
  [
    '07',
    'MUST be in no webhook, but the callback token in the authorization to its receiver',
    async () => {
      const bare = receiver.received.map(
        ({ headers, raw }) => JSON.stringify({ ...headers, authorization: undefined }) + raw,
      )
      expectNone('webhooks', bare)
      const authorizations = new Set(receiver.received.map(({ headers }) => headers.authorization))
      expect([...authorizations]).toEqual([`Bearer ${CALLBACK_TOKEN}`])
    },
  ],
])
