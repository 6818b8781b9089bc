/** The programs of `examples/`, each against a server on the demo data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { setClientKeys } from '#core/access/client-keys.ts'
import { SERVER } from '#core/audit/acts.ts'
import { postpaidBilling } from '../support/fixtures/postpaid-billing.ts'
import { createRest } from '../support/rest.ts'
import { type Stack, startStack } from '../support/stack.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')

let stack: Stack
beforeAll(async () => {
  stack = await startStack({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

const start = (name: string, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(EXAMPLES, name, 'main.ts'), stack.address, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The lines that a program prints until it ends well. */
const linesOf = async (child: ChildProcess): Promise<string[]> => {
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit'),
  ])
  expect(errors.replace(/^.*(ExperimentalWarning|--trace-warnings).*$/gm, '').trim()).toBe('')
  expect(code).toBe(0)
  return out.trim().split('\n')
}

const ID = '[\\da-f]{8}-[\\da-f-]{27}'

it('EXAMPLE-01 a partner posts a payment, sees it settled and verifies its webhook', async () => {
  const lines = await linesOf(start('partner'))
  const [, id] = new RegExp(`^posted (${ID}): processing$`).exec(lines[0]!)!
  expect(lines.slice(1)).toEqual([
    `settled ${id}: succeeded`,
    `webhook ${id}: PAYMENT_COMPLETED, signature verified`,
  ])
})

it('EXAMPLE-02 an analyst reads one table over all services', async () => {
  const table = (await linesOf(start('notebook'))).join('\n')
  for (const kind of ['PAYMENT', 'RECHARGE', 'MESSAGE', 'REWARD', 'REDEMPTION']) expect(table).toContain(kind)
  expect(table).toMatch(/PAYMENT.*\d+(\.\d+)? OMR/)
})

it('EXAMPLE-03 a portal shows a customer, and an event as it happens', async () => {
  const portal = start('portal', '+96891000002')
  onTestFinished(() => void portal.kill())
  const lines: string[] = []
  const reader = createInterface({ input: portal.stdout! }).on('line', line => lines.push(line))
  while (!lines.includes('following')) await once(reader, 'line')
  const deadline = AbortSignal.timeout(25_000)
  const ended = once(portal, 'exit', { signal: deadline })
  // Subscribing follows connecting; partners pay until the portal has seen an event.
  while (portal.exitCode === null && !deadline.aborted) await linesOf(start('partner'))
  expect(await ended).toEqual([0, null])
  expect(lines[0]).toMatch(/^\+96891000002 POSTPAID Muna Al Balushi, owes \d/)
  expect(lines[lines.indexOf('following') + 1]).toMatch(
    /^event \S+: PAYMENT_COMPLETED, The payment was posted/,
  )
})

it('EXAMPLE-04 a partner gets its tokens by a key of its own, once that is registered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'partner-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(await linesOf(start('partner-key', folder))).toEqual([
    `made a key; the operator registers ${join(folder, 'public.pem')}`,
  ])
  const refused = start('partner-key', folder)
  const [errors, [code]] = await Promise.all([text(refused.stderr!), once(refused, 'exit')])
  expect([code, errors]).toEqual([1, expect.stringContaining('No token: 401')])
  const publicKey = createPublicKey(readFileSync(join(folder, 'public.pem')))
  const given = { jwks: { keys: [publicKey.export({ format: 'jwk' })] } }
  const { db, config } = stack.app
  await setClientKeys(db, 'demo-partner', given, { allow: config.webhookAllow, by: SERVER })
  const known = async () => (await stack.app.access.clients.find('demo-partner'))?.jwks
  await expect.poll(known, { timeout: 10_000 }).toBeTruthy()
  expect(await linesOf(start('partner-key', folder))).toEqual([
    expect.stringMatching(/^demo-partner has a token; its payments: \d+$/),
  ])
})

it.each(['websocket', 'sse'])(
  'EXAMPLE-05 a worker that was killed goes on where it was, over %s',
  async way => {
    const folder = mkdtempSync(join(tmpdir(), 'worker-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    /** Starts the worker, and collects its lines. */
    const work = () => {
      const child = start('worker', folder, way)
      onTestFinished(() => void child.kill('SIGKILL'))
      const lines: string[] = []
      const reader = createInterface({ input: child.stdout! }).on('line', line => lines.push(line))
      const until = async (wanted: (all: string[]) => boolean) => {
        const signal = AbortSignal.timeout(25_000)
        while (!wanted(lines)) await once(reader, 'line', { signal })
      }
      return { child, lines, until }
    }
    const pay = async () => {
      const token = await stack.token('demo-partner')
      const { path, body } = postpaidBilling
      const response = await createRest(stack.address)('POST', path, { token, body: body() })
      return response.body.paymentId as string
    }
    const paid = (id: string) => `PAYMENT ${id}: succeeded`

    const first = work()
    await first.until(lines => lines.includes('following'))
    const one = await pay()
    await first.until(lines => lines.includes(paid(one)))
    await expect.poll(() => readdirSync(folder)).toEqual(['worker.cursor'])
    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const missed = await pay()

    const second = work()
    await second.until(lines => lines.includes(paid(missed)))
    expect(second.lines.filter(line => line.startsWith('PAYMENT'))).toEqual([paid(missed)])
    second.child.kill('SIGTERM')
    expect(await once(second.child, 'exit')).toEqual([0, null])
    expect(second.lines.at(-1)).toBe('stopped')
  },
  60_000,
)
