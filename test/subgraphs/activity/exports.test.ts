/** Exports: their cells and formats, written no faster than they are read, and broken off visibly at a failure. */
import { parse } from 'csv-parse/sync'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { FORMATS, write } from '#core/http/row-files.ts'
import { streamResponse } from '#core/http/stream-response.ts'
import { EXPORT_COLUMNS } from '#subgraphs/activity/export/columns.ts'
import type { TimelineRow } from '#subgraphs/activity/timeline/entry.ts'
import { MESSAGE } from '#subgraphs/messaging/kind.ts'
import { PAYMENT } from '#subgraphs/postpaid-billing/kind.ts'

const ROW = {
  id: '01900000-0000-7000-8000-000000000001',
  sort: 1n,
  kind: 'PAYMENT',
  clientId: 'shop',
  accountNumber: '100001',
  mobileNumber: '96891000001',
  occurredAt: new Date('2026-11-22T06:00:00Z'),
  status: 'denied',
  outcome: 'FAILED',
  reason: '',
  currency: null,
  amount: null,
  points: null,
  channel: '',
  merchant: '',
  text: '',
  clientCorrelatorId: null,
  correlator: null,
  referenceCode: null,
} as const satisfies TimelineRow

const cells = async (row: Partial<TimelineRow>, kind = PAYMENT): Promise<Record<string, string>> => {
  async function* pages() {
    yield [{ row: { ...ROW, ...row }, kind }]
  }
  let text = ''
  for await (const part of write(FORMATS.csv, EXPORT_COLUMNS, pages())) text += part
  const [record] = parse(text, { columns: true, recordDelimiter: '\r\n' }) as Record<string, string>[]
  return record!
}

const SIGNS = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20']
const BEFORE = ['', ' ', '\t', '\r', '\n', '\u00a0', '\u3000', '\ufeff', '\u200b', '\u0000', ' \t\r']

it.each([...SIGNS.flatMap(sign => BEFORE.map(blank => `${blank}${sign}SUM(A1)`)), '\tx', '\rx', '\nx'])(
  'EXP-01 a text %j that a spreadsheet would take for a formula begins with an apostrophe',
  async text => {
    const free = {
      reason: text,
      channel: text,
      merchant: text,
      referenceCode: text,
      clientCorrelatorId: text,
    }
    expect(await cells(free)).toMatchObject({
      ...mapped(free, value => `'${value}`),
      mobileNumber: '+96891000001',
    })
  },
)

const mapped = (row: Record<string, string>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, text]) => [name, change(text)]))

it.each(['a,b', 'a "b"', 'two\r\nlines', "it's", 'سوق مطرح', 'a=b'])(
  'EXP-02 any other text %j is read back as it was',
  async text => {
    expect(await cells({ merchant: text, reason: text })).toMatchObject({ merchant: text, reason: text })
    expect((await cells({ text }, MESSAGE)).description).toBe(`SMS from ${text} to +96891000001`)
  },
)

/** Serves what `chunks` makes. */
const serve = async (
  chunks: () => AsyncGenerator<string>,
  onEnd: (error?: unknown) => void = () => undefined,
) => {
  const http = fastify()
  http.get('/', (_, reply) =>
    streamResponse(reply, { status: 200, headers: {} }, chunks()).then(() => onEnd(), onEnd),
  )
  const address = await http.listen({ port: 0, host: '127.0.0.1' })
  return { address, [Symbol.asyncDispose]: () => http.close() }
}

it('EXP-03 a failure in the middle breaks the connection off: nobody takes the beginning for the whole', async () => {
  await using server = await serve(async function* () {
    yield 'id\r\n'
    yield 'x'.repeat(4_000_000)
    throw new Error('the database went away')
  })
  const response = await fetch(server.address)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow('terminated')
})

it('EXP-04 what nobody reads is not made, and nothing more once the client has left', async () => {
  let made = 0
  const { promise: ended, resolve } = Promise.withResolvers<unknown>()
  await using server = await serve(async function* () {
    for (;;) {
      made++
      yield 'x'.repeat(1_000_000)
    }
  }, resolve)
  const leaving = new AbortController()
  const response = await fetch(server.address, { signal: leaving.signal })
  await response.body!.getReader().read()
  await expect.poll(() => made).toBeGreaterThan(1)
  leaving.abort()
  await ended
  expect(made).toBeLessThan(100)
})
