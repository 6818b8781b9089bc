/** The access log, written past pino: each line has the bytes that pino and the mask would have written. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAccessLog } from '#core/observability/access-log.ts'
import { createLog, withoutRedaction } from '#core/observability/log.ts'
import { RequestFacts } from '#core/observability/request-facts.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_795_717_222_388 }))
afterEach(() => void vi.useRealTimers())

const ID = '01a201e4-38e5-76b6-8624-dd60c8fd73e4'

/** Texts that a client may choose, of which a mask changes some. */
const TEXTS = [
  'getPayment',
  'Customer360',
  ID,
  ID.toUpperCase(),
  `/postpaid-billing/v1/payments/${ID}`,
  `/lines/91000002/payments/${ID}`,
  `/${ID}`,
  `/token=abc/${ID}`,
  '/postpaid-billing/v1/payments/+96891000002',
  '+96891000002',
  '4111 1111 1111 1111',
  'eyJhbGciOiJub25lIn0.e30',
  'whsec_abcdef',
  'Bearer abcdef',
  'https://who:pass@partner.example/hook',
  'secret=abc',
  'a "quoted" \\ name\n',
  '"token": "abc"',
  'ال\ud800',
  '',
]

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 40 }))
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const ms = fc.double({ min: 0, max: 1e6, noNaN: true })

const factsOf = fc
  .record({
    head: fc.record({
      correlator: fc.oneof(fc.constant(ID), text),
      method: fc.constantFrom('GET', 'POST'),
      path: text,
      way: fc.constantFrom('REST' as const, 'GRAPH' as const),
    }),
    rest: fc.record({
      operation: optional(text),
      operationId: optional(text),
      status: optional(fc.constantFrom(200, 201, 503)),
      code: optional(fc.constantFrom('NOT_FOUND', 'INVALID_INPUT')),
      reason: optional(text),
      transactionId: optional(fc.oneof(fc.constant(ID), text)),
      bytes: optional(fc.nat(2_000_000_000)),
      delivered: optional(fc.nat(10)),
      principal: optional(text.map(clientId => ({ clientId, role: 'PARTNER' }))),
    }),
    times: fc.tuple(ms, ms, ms),
  })
  .map(({ head, rest, times: [durationMs, databaseMs, subgraphMs] }) => {
    const times = { durationMs, databaseMs, subgraphMs }
    const values = Object.entries({ ...rest, ...times }).map(([name, value]) => [name, { value }])
    return Object.defineProperties(new RequestFacts(head), Object.fromEntries(values)) as RequestFacts
  })

const tenths = (value: number) => Math.round(value * 10) / 10

/** Members of a line, in order. */
const membersOf = (facts: RequestFacts) => ({
  correlator: facts.correlator,
  client: facts.principal?.clientId,
  way: facts.way,
  method: facts.method,
  path: facts.path,
  operation: facts.operation?.slice(0, 256),
  operationId: facts.operationId,
  status: facts.status,
  code: facts.code,
  reason: facts.reason,
  transaction: facts.transactionId,
  ms: tenths(facts.durationMs),
  databaseMs: tenths(facts.databaseMs),
  subgraphMs: tenths(facts.subgraphMs),
  bytes: facts.bytes,
  delivered: facts.delivered,
})

describe('the access log', () => {
  it.each([false, true])(
    'ACCESS-LOG-01 MUST write the bytes of pino and the mask, with whole numbers: %s',
    showsNumbers => {
      const lines: string[] = []
      const write = (line: string) => void lines.push(line)
      const log = createLog('info', { write }, showsNumbers).child({ worker: 2 })
      const access = createAccessLog(log)
      const reference = withoutRedaction(log)
      fc.assert(
        fc.property(factsOf, facts => {
          lines.length = 0
          access(facts)
          reference.info(membersOf(facts), 'request')
          expect(lines[0]).toBe(lines[1])
        }),
        { numRuns: 2_000 },
      )
    },
  )

  it('ACCESS-LOG-02 MUST write nothing above the level of the log, which may change meanwhile', () => {
    const lines: string[] = []
    const log = createLog('warn', { write: line => void lines.push(line) })
    const access = createAccessLog(log)
    const facts = new RequestFacts({ correlator: ID, method: 'GET', path: '/', way: 'PAGE' })
    access(facts)
    expect(lines).toHaveLength(0)
    log.level = 'info'
    access(facts)
    expect(lines).toHaveLength(1)
  })
})
