/** A page is bounded by bytes as well as by rows, and says truly where to go on. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { prepaid } from '../support/fixtures/prepaid.ts'
import { type Stack, startStack } from '../support/stack.ts'

const MIB = 1_024 * 1_024
const COUNT = 24
const NUMBER = '96892000001'

let stack: Stack
let portal: string
let partner: string
let ids: string[]

/** Written before there were maxima: 1 MB each, half of them of what compresses to almost nothing. */
const enlarge = (id: string, index: number) =>
  stack.app.db.$executeRawUnsafe(
    `UPDATE prepaid.recharge SET body = jsonb_set(body, '{referenceCode}', to_jsonb(
     CASE WHEN $2::int % 2 = 0 THEN repeat('a', 1000000)
     ELSE (SELECT string_agg(md5(n::text || $1), '') FROM generate_series(1, 31250) n) END)) WHERE id = $1::uuid`,
    id,
    index,
  )

beforeAll(async () => {
  stack = await startStack()
  partner = await stack.token({ id: 'bytes-partner', role: 'partner', dummyCards: true })
  portal = await stack.token({ id: 'bytes-portal', role: 'portal' })
  ids = []
  for (let index = 0; index < COUNT; index++) {
    const { body } = await restOf(stack)('POST', prepaid.path, { token: partner, body: prepaid.body() })
    ids.push(body.rechargeId)
  }
  await stack.settled()
  for (const [index, id] of ids.entries()) await enlarge(id, index)
}, 120_000)
afterAll(() => stack[Symbol.asyncDispose]())

/** Not held against the document, which says what such texts may be today. */
const list = async (query: string, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${stack.address}${prepaid.path}?${query}`, { headers })
  expect(response.status).toBe(200)
  const text = await response.text()
  const read: string[] = JSON.parse(text).map((row: { rechargeId: string }) => row.rechargeId)
  const [lastKey, total] = ['content-last-key', 'x-total-count'].map(name =>
    Number(response.headers.get(name)),
  )
  return { read, length: text.length, lastKey: lastKey!, total: total! }
}

it.each(['partner', 'portal'])(
  'REST-BYTES-01 the list of a %s ends early, and goes on by seek',
  async role => {
    const token = role === 'partner' ? partner : portal
    const found: string[] = []
    let total = Number.POSITIVE_INFINITY
    for (let seek = 0; seek < total; ) {
      const page = await list(`perPage=1000&seek=${seek}`, token)
      expect(page.length).toBeLessThan(9 * MIB)
      expect(page.read.length).toBeGreaterThan(0)
      expect(page.lastKey).toBe(seek + page.read.length)
      found.push(...page.read)
      total = page.total
      seek = page.lastKey
    }
    expect(found.length).toBe(total)
    expect(found.filter(id => ids.includes(id))).toEqual(ids)
  },
)

const page =
  'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { rechargeId referenceCode }'

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
type Walk = [what: string, wrap: (field: string) => string, read: (data: any) => any]

const WALKS: Walk[] = [
  ['everyone', field => `{ ${field} }`, data => data.recharges],
  [
    'a number',
    field => `{ subscriber(mobileNumber: "+${NUMBER}") { ${field} } }`,
    data => data.subscriber.recharges,
  ],
]

it.each(WALKS)(
  'GRAPH-BYTES-02 a connection of %s ends early in either direction, and goes on',
  async (_, wrap, read) => {
    for (const [size, cursor, side, more] of [
      ['first', 'after', 'endCursor', 'hasNextPage'],
      ['last', 'before', 'startCursor', 'hasPreviousPage'],
    ] as const) {
      const found: string[] = []
      let pages = 0
      for (let at: string | undefined; at !== ''; ) {
        const query = wrap(`recharges(${size}: 200${at ? `, ${cursor}: "${at}"` : ''}) { ${page} }`)
        const { data, errors } = await graphOf(stack)(query, { token: portal })
        expect(errors).toEqual([])
        const { nodes, pageInfo } = read(data)
        pages += 1
        expect(nodes.length).toBeGreaterThan(0)
        expect(nodes.length).toBeLessThanOrEqual(200)
        found.push(...nodes.map((node: { rechargeId: string }) => node.rechargeId))
        at = pageInfo[more] ? pageInfo[side] : ''
      }
      expect(pages).toBeGreaterThan((COUNT * 1_000_000) / (8 * MIB))
      expect(new Set(found).size).toBe(found.length)
      expect(ids.every(id => found.includes(id))).toBe(true)
    }
  },
)

it('REST-BYTES-03 a row that is larger than a page is a page', async () => {
  const [id] = ids
  await stack.app.db.$executeRaw`
    UPDATE prepaid.recharge SET reference_code = repeat('r', ${9 * MIB}::int) WHERE id = ${id}::uuid`
  const { read, lastKey } = await list('perPage=10', partner)
  expect({ read, lastKey }).toEqual({ read: [id], lastKey: 1 })
})
