/** REST lists: order, indexes, dates, and what is out of range (docs/decisions.md, "Lists"). */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFile } from '#core/directory/import.ts'
import { auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { READABLE } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

/** When the first eight were created: around the turn of a month in Muscat (+04:00). The last two are of now. */
const INSTANTS = [
  '2026-01-30T19:59:59.999Z',
  '2026-01-30T20:00:00.000Z',
  '2026-01-31T12:00:00.000Z',
  '2026-01-31T19:59:59.999Z',
  '2026-01-31T20:00:00.000Z',
  '2026-02-01T19:59:59.999Z',
  '2026-02-01T20:00:00.000Z',
  '2026-02-28T20:00:00.000Z',
]
const COUNT = 10

/** Without the demo's history. */
const DIRECTORY = join(import.meta.dirname, '../../prisma/demo/directory.json')

let stack: Stack
let token: string
let portal: string
let other: string
/** Each service's ids in the order of creation, and their correlators. */
const ids: Record<string, string[]> = {}
const correlators: Record<string, string[]> = {}

const fill = async ({ name, path, idField, correlator, table, body }: ServiceFixture) => {
  ids[name] = []
  correlators[name] = []
  for (let index = 0; index < COUNT; index++) {
    const sent = body()
    const created = await restOf(stack)('POST', path, { token, body: sent })
    ids[name].push(created.body[idField])
    correlators[name].push(String(fieldOf(sent, correlator)))
  }
  for (const [index, instant] of INSTANTS.entries()) {
    const sql = `UPDATE ${table} SET created_at = $1::timestamptz WHERE id = $2::uuid`
    await stack.app.db.$executeRawUnsafe(sql, instant, ids[name][index])
  }
}

beforeAll(async () => {
  stack = await startStack({ env: { DEMO: '0' } })
  await importFile(stack.app.db, DIRECTORY, { countryCode: '968' })
  token = await stack.token({ id: 'list-partner', role: 'partner', dummyCards: true })
  portal = await stack.token({ id: 'list-portal', role: 'portal' })
  other = await stack.token({ id: 'list-other', role: 'partner', dummyCards: true })
  for (const fixture of READABLE) await fill(fixture)
})
afterAll(() => stack[Symbol.asyncDispose]())

/** The query, the indexes of what it finds, and the two headers. */
const PAGES: [number: string, query: string, found: number[], lastKey: number, total: number][] = [
  ['01', '', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 10],
  ['02', 'perPage=3', [0, 1, 2], 3, 10],
  ['03', 'page=0&perPage=3', [0, 1, 2], 3, 10],
  ['04', 'page=1&perPage=3', [3, 4, 5], 6, 10],
  ['05', 'page=3&perPage=3', [9], 10, 10],
  ['06', 'page=4&perPage=3', [], 12, 10],
  ['07', 'seek=4', [4, 5, 6, 7, 8, 9], 10, 10],
  ['08', 'seek=4&perPage=2', [4, 5], 6, 10],
  ['09', 'page=1&perPage=2&seek=3', [5, 6], 7, 10],
  ['10', 'page=1', [], 50, 10],
  ['11', 'seek=10', [], 10, 10],
  ['12', 'seek=999999999', [], 999_999_999, 10],
  ['13', 'perPage=1000', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 10],
  ['14', 'perPage=1', [0], 1, 10],
  ['15', 'surprise=1&pages=x&perpage=1', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 10],
  ['20', 'fromDate=2026-01-31&toDate=2026-01-31', [1, 2, 3], 3, 3],
  ['21', 'fromDate=2026-02-01&toDate=2026-02-01', [4, 5], 2, 2],
  ['22', 'fromDate=2026-01-30&toDate=2026-02-02', [0, 1, 2, 3, 4, 5, 6], 7, 7],
  ['23', 'fromDate=2026-02-02', [6, 7, 8, 9], 4, 4],
  ['24', 'toDate=2026-01-31', [0, 1, 2, 3], 4, 4],
  ['25', 'toDate=2026-01-29', [], 0, 0],
  ['26', 'fromDate=2026-02-03&toDate=2026-02-27', [], 0, 0],
  ['27', 'fromDate=2026-03-01&toDate=2026-03-01', [7], 1, 1],
  ['28', 'fromDate=2026-01-31&toDate=2026-02-01&perPage=2&page=1', [3, 4], 4, 5],
  ['29', 'fromDate=2026-01-31&toDate=2026-02-01&seek=4', [5], 5, 5],
  ['30', 'fromDate=2024-02-29&toDate=2024-02-29', [], 0, 0],
  ['31', 'fromDate=0001-01-01&toDate=9999-12-31', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 10, 10],
  ['32', 'fromDate=2999-01-01', [], 0, 0],
]

const OUT_OF_RANGE: [number: string, query: string, names: string][] = [
  ['40', 'page=-1', 'page'],
  ['41', 'page=1.5', 'page'],
  ['42', 'page=one', 'page'],
  ['43', 'page=', 'page'],
  ['44', 'page=99999999999999999999', 'page'],
  ['45', 'perPage=0', 'perPage'],
  ['46', 'perPage=1001', 'perPage'],
  ['47', 'perPage=-5', 'perPage'],
  ['48', 'perPage=1e2', 'perPage'],
  ['49', 'perPage=0x10', 'perPage'],
  ['50', 'seek=-1', 'seek'],
  ['51', 'seek=abc', 'seek'],
  ['52', 'seek=%201', 'seek'],
  ['53', 'fromDate=2026-02-30', 'fromDate'],
  ['54', 'fromDate=2026-13-01', 'fromDate'],
  ['55', 'fromDate=01-02-2026', 'fromDate'],
  ['56', 'fromDate=2026-02-01T00:00:00Z', 'fromDate'],
  ['57', 'toDate=yesterday', 'toDate'],
  ['58', 'toDate=2025-02-29', 'toDate'],
  ['59', 'fromDate=2026-02-02&toDate=2026-02-01', 'fromDate'],
  ['60', 'page=1&page=2', 'page'],
  ['61', 'fromDate=2026-01-01&fromDate=2026-01-02', 'fromDate'],
  ['62', 'fromDate=', 'fromDate'],
  ['63', 'clientCorrelatorId=a&clientCorrelatorId=a', 'clientCorrelatorId must be given once'],
  ['64', 'clientCorrelatorId=a&page=1&clientCorrelatorId=b', 'clientCorrelatorId must be given once'],
  ['65', 'perPage=1&perPage=1', 'perPage must be given once'],
  ['66', 'seek=1&seek=1', 'seek must be given once'],
  ['67', 'toDate=2026-01-01&toDate=2026-01-01', 'toDate must be given once'],
]

describe.each(READABLE)('$name', ({ name, path, idField }) => {
  const list = (query: string, client = token) =>
    restOf(stack)('GET', query ? `${path}?${query}` : path, { token: client })

  it.each(PAGES)('REST-LIST-%s MUST answer ?%s', async (_, query, found, lastKey, total) => {
    for (const client of [token, portal]) {
      const { status, body, headers } = await list(query, client)
      expect(status).toBe(200)
      const indexes = body.map((row: Record<string, string>) => ids[name]!.indexOf(row[idField]!))
      expect(indexes).toEqual(found)
      expect(headers.get('content-last-key')).toBe(String(lastKey))
      expect(headers.get('x-total-count')).toBe(String(total))
    }
  })

  it.each(OUT_OF_RANGE)('REST-LIST-%s MUST answer OUT_OF_RANGE to ?%s', async (_, query, names) => {
    const response = await list(query)
    expect(response).toMatchObject({ status: 400, body: { code: 'OUT_OF_RANGE', status: '400' } })
    expect(response.body.message).toContain(names)
  })
})

auditServices('REST-LIST', READABLE, [
  [
    '70',
    'MUST find by correlator whatever the other parameters say, even invalid ones',
    async ({ name, path, idField }) => {
      const ignored = [
        '',
        '&page=9',
        '&page=x&perPage=0&seek=-1',
        '&fromDate=2026-02-30',
        '&fromDate=2999-01-01',
        '&page=1&page=2',
      ]
      for (const more of ignored) {
        const query = `clientCorrelatorId=${correlators[name]![3]}${more}`
        const { body, headers } = await restOf(stack)('GET', `${path}?${query}`, { token })
        expect(body).toMatchObject([{ [idField]: ids[name]![3] }])
        expect(headers.get('x-total-count')).toBe('1')
        expect(headers.get('content-last-key')).toBe('1')
      }
    },
  ],
  [
    '71',
    'MUST answer an empty list to a correlator that nobody sent',
    async ({ path }) => {
      for (const correlator of ['unknown', '', "'--"]) {
        const response = await restOf(stack)('GET', `${path}?clientCorrelatorId=${correlator}`, { token })
        expect(response, correlator).toMatchObject({ status: 200, body: [] })
        expect(response.headers.get('x-total-count')).toBe('0')
      }
    },
  ],
  [
    '75',
    'MUST find by correlator one of each client that used it: a partner its own, a portal all, in the graph by clientId',
    async ({ name, path, idField, body, correlator, list }) => {
      const used = correlators[name]![5]!
      const second = await restOf(stack)('POST', path, {
        token: other,
        body: withField(body(), correlator, used),
      })
      const [mine, theirs] = [ids[name]![5], second.body[idField]]
      const found = async (as: string) => {
        const answer = await restOf(stack)('GET', `${path}?clientCorrelatorId=${used}`, { token: as })
        expect(answer.headers.get('x-total-count')).toBe(String(answer.body.length))
        return answer.body.map((row: Record<string, string>) => row[idField])
      }
      expect([await found(token), await found(other), await found(portal)]).toEqual([
        [mine],
        [theirs],
        [mine, theirs],
      ])
      const query = `query ($filter: TransactionFilter) { ${list}(filter: $filter) { totalCount nodes { id } } }`
      const narrowed = async (as: string, clientId: string) => {
        const variables = { filter: { clientCorrelatorId: used, clientId } }
        return (await graphOf(stack)(query, { token: as, variables })).data[list]
      }
      const only = { totalCount: 1, nodes: [{ id: theirs }] }
      expect(await narrowed(portal, 'list-other')).toEqual(only)
      expect(await narrowed(token, 'list-other')).toEqual({ totalCount: 0, nodes: [] })
    },
  ],
  [
    '72',
    'MUST let Content-Last-Key as seek walk through all, each once, while new ones arrive',
    async ({ name, path, idField, body }) => {
      const walked: string[] = []
      for (let seek = '0'; ; ) {
        const page = await restOf(stack)('GET', `${path}?seek=${seek}&perPage=3`, { token })
        if (page.body.length === 0) break
        walked.push(...page.body.map((row: Record<string, string>) => row[idField]))
        seek = page.headers.get('content-last-key')!
        await restOf(stack)('POST', path, { token: other, body: body() })
      }
      expect(walked).toEqual(ids[name])
    },
  ],
  [
    '74',
    "MUST show date-times in the operator's zone, with its offset and milliseconds",
    async ({ name, path, dateField }) => {
      await stack.settled()
      const { body } = await restOf(stack)('GET', `${path}/${ids[name]![3]}`, { token })
      const creation = Object.entries(body).find(([field]) => field.endsWith('CreationDate'))
      if (creation) expect(creation[1]).toBe('2026-01-31T23:59:59.999+04:00')
      expect(body[dateField!]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+04:00$/)
    },
  ],
])

auditServices('REST-LIST', READABLE.slice(0, 1), [
  [
    '73',
    'MUST answer 50 of more than 50 by default',
    async ({ path, body }) => {
      const many = await stack.token({ id: `many-${path.split('/')[1]}`, role: 'partner', dummyCards: true })
      const sent = Array.from({ length: 51 }, () =>
        restOf(stack)('POST', path, { token: many, body: body() }),
      )
      await Promise.all(sent)
      const { body: page, headers } = await restOf(stack)('GET', path, { token: many })
      expect(page).toHaveLength(50)
      expect(headers.get('content-last-key')).toBe('50')
      expect(headers.get('x-total-count')).toBe('51')
    },
  ],
])
