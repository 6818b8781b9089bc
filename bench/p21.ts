/**
 * P21: questions that are asked again, with stored answers and without: customer-360, a payment by id, a list page of 50, the
 * latter two with 304 as well. And how often an answer was still true, with payments posted meanwhile.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from 'autocannon'
import { GRAPHQL, requestsOf } from './lib/analyst-query.ts'
import {
  FILLINGS,
  fillClients,
  fillDirectory,
  fillTransactions,
  mobileOf,
  untilProjected,
} from './lib/fill.ts'
import { load } from './lib/load.ts'
import { findingsOf, type MeasuredSide, measureSides } from './lib/measured.ts'
import { tokenHeaders } from './lib/pair.ts'
import { payment } from './lib/payment.ts'
import { type Finding, perSecond } from './lib/results.ts'
import { scaled } from './lib/scale.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const PLAN = { connections: 16, seconds: scaled(5, 1), turns: scaled(5) }
const PAGE = readFileSync(join(import.meta.dirname, '../schema/operations/customer-360.graphql'), 'utf8')
/** Transactions of each kind. */
const ROWS = scaled(10_000, 1_000)
/** Questions that are repeated: subscribers that agents look at in the same minutes, a partner's latest payments. */
const QUESTIONS = 100
const COLLECTION = '/postpaid-billing/v1/payments'
const WHILE_POSTING = { connections: 8, seconds: scaled(10, 2) }
const ASKED_A_SECOND = 100
const POSTED_A_SECOND = [0, 1, 10, 100]

interface Side {
  readonly server: Server
  readonly headers: Record<string, string>
  readonly ids: readonly string[]
}

const open = async (
  stack: AsyncDisposableStack,
  flags: readonly string[],
  env: Record<string, string>,
): Promise<Side> => {
  const { client, url } = stack.use(await createScratch())
  await fillClients(client)
  await fillDirectory(client)
  for (const filling of FILLINGS) await fillTransactions(client, filling, ROWS)
  const options = { env: { DATABASE_URL: url, SECRETS_KEY, ...env }, flags }
  const server = stack.use(await startServer('gateway/main.ts', options))
  await untilProjected(client, FILLINGS.length * ROWS)
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM postpaid.payment ORDER BY position LIMIT $1',
    [QUESTIONS],
  )
  return {
    server,
    headers: await tokenHeaders(server.address, 'bench-analyst'),
    ids: rows.map(({ id }) => id),
  }
}

/** Requests with the ETag that the server gives for each. */
const known = ({ server, headers }: Side, paths: readonly string[]): Promise<Request[]> =>
  Promise.all(
    paths.map(async path => {
      const response = await fetch(server.address + path, { headers })
      await response.arrayBuffer()
      return { path, headers: { ...headers, 'if-none-match': response.headers.get('etag')! } }
    }),
  )

interface Work {
  readonly work: string
  readonly target: string
  requests(side: Side, isStoring: boolean): Promise<Request[]>
}

const pathsOf = {
  id: ({ ids }: Side) => ids.map(id => `${COLLECTION}/${id}`),
  page: () => Array.from({ length: QUESTIONS }, (_, page) => `${COLLECTION}?perPage=50&page=${page}`),
}

const WORKS: readonly Work[] = [
  {
    work: "the portal's customer-360 of 100 subscribers, repeated",
    target: '>= 3',
    requests: async ({ headers }) =>
      Array.from({ length: QUESTIONS }, (_, index) => ({
        method: 'POST' as const,
        path: GRAPHQL,
        headers,
        body: JSON.stringify({ query: PAGE, variables: { n: `+${mobileOf(index)}` } }),
      })),
  },
  {
    work: 'the same without timeline and summary',
    target: '>= 3',
    requests: async ({ headers }) => requestsOf(GRAPHQL, headers).slice(0, QUESTIONS) as Request[],
  },
  ...(
    [
      ['payment by id', 'id'],
      ['list page of 50', 'page'],
    ] as const
  ).flatMap(([what, kind]): Work[] => [
    {
      work: `${what}, repeated, 200`,
      target: '>= 1',
      requests: async side => pathsOf[kind](side).map(path => ({ path, headers: side.headers })),
    },
    {
      work: `${what}, repeated, 304 against 200 without a store`,
      target: '>= 2',
      requests: async (side, isStoring) =>
        isStoring
          ? known(side, pathsOf[kind](side))
          : pathsOf[kind](side).map(path => ({ path, headers: side.headers })),
    },
  ]),
]

/** Both give the same answer to the last request of a work, but for ids and times of their own. */
const assertSame = async ([one, other]: readonly [Side, Side]) => {
  const ask = async ({ server, headers }: Side) => {
    const [request] = requestsOf(GRAPHQL, headers)
    const texts = []
    for (let turn = 0; turn < 4; turn += 1) {
      const response = await fetch(server.address + GRAPHQL, { ...request, headers })
      texts.push(await response.json())
    }
    for (const text of texts) deepStrictEqual(text, texts[0])
    return JSON.stringify(texts[0]).length
  }
  deepStrictEqual(await ask(one), await ask(other))
}

const outcomesOf = async ({ server }: Side): Promise<Record<string, number>> => {
  const text = await (await fetch(`${server.address}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^answers_total\{outcome="(\w+)"\} (\d+)$/gm)].map(([, name, value]) => [
      name,
      Number(value),
    ]),
  )
}

/** Share of questions that were answered as before, while so many payments a second are posted. */
const shareAt = async (side: Side, poster: Record<string, string>, rate: number): Promise<Finding> => {
  const url = side.server.address
  const requests = requestsOf(GRAPHQL, side.headers).slice(0, QUESTIONS)
  const before = await outcomesOf(side)
  const posts = Array.from({ length: 50 }, (_, index) => ({
    method: 'POST' as const,
    path: COLLECTION,
    headers: poster,
    body: payment(index),
  }))
  const [asked] = await Promise.all([
    load({ url, requests, ...WHILE_POSTING, rate: ASKED_A_SECOND }),
    rate > 0 && load({ url, requests: posts, ...WHILE_POSTING, connections: 1, rate }),
  ])
  const after = await outcomesOf(side)
  const hits = (after['hit'] ?? 0) - (before['hit'] ?? 0)
  return {
    id: 'P21',
    work: `answered as before, ${ASKED_A_SECOND} customer-360 a second of ${QUESTIONS} subscribers, ${rate} payments a second`,
    against: 'all that were asked',
    ours: perSecond(hits / asked.seconds),
    theirs: perSecond(asked.perSecond),
    ratio: hits / asked.answered,
  }
}

/** Has an operation planned and compiled before many ask for it at once: they would wait for their turns. */
const prepare = async ({ address }: Server, { path, method, headers, body }: Request) => {
  for (let turn = 0; turn < 2; turn += 1) {
    const response = await fetch(address + path, {
      method: method ?? 'GET',
      headers: headers as Record<string, string>,
      body: body as string | undefined,
    })
    await response.arrayBuffer()
  }
}

/** Compares with a server that stores nothing, which commits no more once this ends. */
const compare = async (storing: Side): Promise<Finding[]> => {
  await using stack = new AsyncDisposableStack()
  const other = await open(stack, [], {})
  await assertSame([storing, other])
  const findings: Finding[] = []
  for (const { work, target, requests } of WORKS) {
    const lists = [await requests(storing, true), await requests(other, false)]
    const sides = [storing, other].map(
      ({ server }, index): MeasuredSide => ({ server, requests: () => lists[index]! }),
    )
    for (const [index, { server }] of [storing, other].entries()) await prepare(server, lists[index]![0]!)
    const [ours, theirs] = await measureSides(sides, PLAN)
    const against = 'the same program without stored answers'
    findings.push(...findingsOf({ id: 'P21', work, against, targets: [target, target] }, ours!, theirs!))
  }
  return findings
}

export async function run(flags: readonly string[]): Promise<Finding[]> {
  await using stack = new AsyncDisposableStack()
  const storing = await open(stack, flags, { STORED_ANSWERS_MIB: '32' })
  const findings = await compare(storing)
  const poster = await tokenHeaders(storing.server.address, 'bench-partner')
  for (const rate of POSTED_A_SECOND) findings.push(await shareAt(storing, poster, rate))
  return findings
}
