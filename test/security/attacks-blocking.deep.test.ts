/** Single requests that once held up everyone: texts over which work grew with the square, or without any limit. */
import { afterAll, beforeAll, expect } from 'vitest'
import { audit } from '../support/audit.ts'
import { postpaidBilling } from '../support/fixtures/postpaid-billing.ts'
import { type Attacked, attack, type Request } from './support/attack.ts'
import { note } from './support/figures.ts'
import { type ProbedServer, startProbed } from './support/probed-server.ts'

let server: ProbedServer
let token: string
let portal: string
const start = async () => {
  server = await startProbed()
  token = await server.token()
  portal = await server.token('demo-portal')
  // Whatever is made at the first request of a kind is made before anything is measured.
  for (const query of ['{ me { id } }', '{ timeline(first: 1) { totalCount } }', '{ summary { count } }'])
    await attack(server, 'first', { token: portal, raw: JSON.stringify({ query }) }).catch(() => undefined)
}
beforeAll(start)
afterAll(() => server?.[Symbol.asyncDispose]())

const strike = async (what: string, ...requests: Request[]): Promise<Attacked> => {
  const done: Attacked[] = []
  let failed: { delayMs?: number } | undefined
  try {
    for (const request of requests) done.push(await attack(server, what, request))
  } catch (error) {
    failed = error as { delayMs?: number }
    throw error
  } finally {
    const delayMs = Math.max(failed?.delayMs ?? 0, ...done.map(one => one.delayMs))
    const cases = done.length + (failed ? 1 : 0)
    note({ part: 'attack', what, cases, faults: failed ? 1 : 0, delayMs })
    if (server.hasEnded()) await start()
  }
  return done.at(-1)!
}

const graph = (query: string, variables?: object): Request => ({
  token,
  raw: JSON.stringify({ query, variables }),
})
const ZEROS = `{"query":"{ __typename }","variables":{"n":1${'0'.repeat(40_000)}1}}`
const FRACTION = `{"query":"{ __typename }","variables":{"n":0.${'0'.repeat(20_000)}1${'0'.repeat(40_000)}1}}`
/** Counted as 200 times 200 rows, though few are there. */
const PAYMENTS =
  'query ($f: Int!) { payments(first: $f) { nodes { customer { payments(first: $f) { nodes { id outcome kind createdAt } } } } } }'
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ')

audit('SECURITY-BLOCK', [
  [
    '01',
    'MUST read a number of 40,000 zeros in linear time, with and without a token',
    async () => {
      const paths = ['/graphql', '/nowhere', postpaidBilling.path]
      const requests = [ZEROS, FRACTION].flatMap(raw =>
        paths.flatMap(path => [
          { path, raw },
          { path, raw, token },
        ]),
      )
      await strike('number of 40,000 zeros', ...requests)
    },
  ],
  [
    '02',
    'MUST say what is wrong with a variable of 30 KB in linear time',
    async () => {
      const texts = [' ', '"', '\\', 'a ', '; ', '"; ', '\n'].map(one => one.repeat(30_000 / one.length))
      const query =
        'query ($f: Int, $o: [Outcome!], $t: String) { payments(first: $f, filter: { outcomes: $o, referenceCode: $t }) { totalCount } }'
      const variables = texts.flatMap(text => [
        { f: text },
        { o: text },
        { o: [text, text] },
        { t: [text] },
        { t: { [text]: text } },
      ])
      await strike('refused variable of 30 KB', ...variables.map(one => graph(query, one)))
    },
  ],
  [
    '03',
    'MUST count the cost of an operation by its own variables, not by those of another',
    async () => {
      for (const unfit of [{ f: 'x' }, { f: null }, {}, { f: [] }])
        await strike('unfit variables', graph(PAYMENTS, unfit))
      const { status } = await strike('cost by other variables', graph(PAYMENTS, { f: 200 }))
      expect(status).toBe(400)
      const fallback = PAYMENTS.replace('Int!', 'Int = 200')
      await strike('unfit variables', graph(fallback, { f: 'x' }))
      expect((await strike('cost by defaults', graph(fallback, {}))).status).toBe(400)
    },
  ],
  [
    '04',
    'MUST bound the words of a text filter',
    async () => {
      const query = 'query ($t: String!) { timeline(filter: { text: $t }, first: 1) { totalCount } }'
      await strike(
        '20,000 words',
        ...[20_000, 60_000].map(count => ({ ...graph(query, { t: words(count) }), token: portal })),
      )
    },
  ],
  [
    '05',
    'MUST bound the rows of a summary, and count them',
    async () => {
      const groups = '[KIND, OUTCOME, CHANNEL, MERCHANT, CURRENCY, PARTNER]'
      const aliases = Array.from(
        { length: 10 },
        (_, i) => `s${i}: summary(by: DAY, groupBy: ${groups}) { period count amounts { value } }`,
      )
      await strike('summaries by day and everything', { ...graph(`{ ${aliases.join(' ')} }`), token: portal })
    },
  ],
  [
    '06',
    'MUST refuse JSON nested without end, also where it holds a long number',
    async () => {
      const raws = [2_500, 100_000].flatMap(depth =>
        ['"1234567890123456"', '1'].map(leaf => '['.repeat(depth) + leaf + ']'.repeat(depth)),
      )
      const paths = ['/graphql', '/nowhere', postpaidBilling.path]
      await strike(
        'nested JSON',
        ...raws.flatMap(raw =>
          paths.flatMap(path => [
            { path, raw },
            { path, raw, token },
          ]),
        ),
      )
    },
  ],
])
