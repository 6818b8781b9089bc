/**
 * Ten times the load that the program can serve: what is served then, what is refused, how long either takes, what it does to
 * a partner that asks for little, and how soon all is as before.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { generate } from './generators.ts'
import { mixOf } from './requests.ts'
import type { SenderResult, Text } from './sender.ts'
import { LOADING, type LoadedServer, POLITE } from './server.ts'

/** Connections that show what it can serve: enough to keep it busy. */
const BUSY = 8
/** Connections of each partner that asks for too much, and of one alone. */
const MANY = 150
const FLOODING = 1_500
const TIMES = 10
const POLITE_PER_SECOND = 20
const POLITE_CONNECTIONS = 8
const WARM_SECONDS = 3
const RECOVERY_MS = 15_000
/** Requests in a row that are answered as usual, once all is as before. */
const AS_USUAL = 10
const RESIDENT_EVERY_MS = 500

export interface Durations {
  /** Seconds in which it is found out what can be served. */
  readonly servable: number
  /** Seconds of each of the two turns of the polite partner. */
  readonly fairness: number
  readonly overload: number
}

export interface OverloadFigures {
  readonly seconds: number
  /** Requests a second that are served where senders wait for their answers, and their p99. */
  readonly servable: number
  readonly usualP99: number
  /** Requests a second that were sent, and that were due but found no free connection. */
  readonly offered: number
  readonly unsent: number
  readonly accepted: number
  readonly acceptedP99: number
  /** p50 and p99 of what was accepted, by what was asked for. */
  readonly kinds: Readonly<Record<string, readonly [p50: number, p99: number]>>
  /** Processors that the server kept busy. */
  readonly processors: number
  readonly refused: number
  readonly refusedP50: number
  readonly refusedP99: number
  readonly withoutRetryAfter: number
  readonly others: Readonly<Record<string, number>>
  /** p99 of the polite partner beside ordinary load, and beside one partner that floods. */
  readonly politeP99: number
  readonly politeFloodedP99: number
  readonly politeRefused: number
  /** Resident memory in bytes: after a third of the load, and at its end. */
  readonly residentEarly: number
  readonly residentLate: number
  readonly recoveryMs: number
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, one) => all + one, 0)
const largest = (values: Iterable<number>): number => Math.max(...values)

/** Tokens of all partners, with the load that each can send. */
const textsOf = async (server: LoadedServer) => {
  const texts = new Map<string, Text[]>()
  for (const client of [...LOADING, POLITE]) texts.set(client, mixOf(await server.token(client)))
  return (client: string) => texts.get(client)!
}

type Texts = Awaited<ReturnType<typeof textsOf>>

const othersOf = (results: Iterable<SenderResult>): Record<string, number> => {
  const all: Record<string, number> = {}
  for (const { others } of results)
    for (const [status, count] of Object.entries(others)) all[status] = (all[status] ?? 0) + count
  return all
}

/** Latencies of the partner that fared worst, by what was asked for. */
const kindsOf = (results: readonly SenderResult[]) => {
  const kinds = new Set(results.flatMap(one => Object.keys(one.kinds)))
  return Object.fromEntries(
    [...kinds].map(kind => {
      const own = results.flatMap(one => one.kinds[kind] ?? [])
      return [kind, [largest(own.map(({ p50 }) => p50)), largest(own.map(({ p99 }) => p99))] as const]
    }),
  )
}

const findServable = async ({ port }: LoadedServer, texts: Texts, seconds: number) => {
  const senders = LOADING.map(client => ({ client, connections: BUSY, texts: texts(client) }))
  await generate({ port, seconds: WARM_SECONDS, senders })
  const results = [...(await generate({ port, seconds, senders })).values()]
  return {
    servable: sum(results.map(({ accepted }) => accepted.count)) / seconds,
    usualP99: largest(results.map(({ accepted }) => accepted.p99)),
  }
}

/** A partner that asks for little, beside others in another process. */
const besideOthers = async (
  { port }: LoadedServer,
  texts: Texts,
  seconds: number,
  senders: readonly { client: string; connections: number; perSecond: number }[],
) => {
  const polite = {
    client: POLITE,
    connections: POLITE_CONNECTIONS,
    perSecond: POLITE_PER_SECOND,
    texts: texts(POLITE),
  }
  const others = senders.map(one => ({ ...one, texts: texts(one.client) }))
  const results = await generate({ port, seconds, senders: [polite] }, { port, seconds, senders: others })
  return results.get(POLITE)!
}

const findFairness = async (server: LoadedServer, texts: Texts, seconds: number, servable: number) => {
  const ordinary = LOADING.map(client => ({
    client,
    connections: MANY,
    perSecond: servable / 2 / LOADING.length,
  }))
  const flood = [{ client: LOADING[0]!, connections: FLOODING, perSecond: TIMES * servable }]
  const quiet = await besideOthers(server, texts, seconds, ordinary)
  const flooded = await besideOthers(server, texts, seconds, flood)
  return {
    politeP99: quiet.accepted.p99,
    politeFloodedP99: flooded.accepted.p99,
    politeRefused: flooded.refused.count,
  }
}

/** Resident memory while work goes on, twice a second. */
const watchMemory = (server: LoadedServer) => {
  const seen: number[] = []
  const timer = setInterval(() => seen.push(server.resident()), RESIDENT_EVERY_MS)
  return {
    end() {
      clearInterval(timer)
      const third = Math.floor(seen.length / 3)
      return {
        residentEarly: largest(seen.slice(0, Math.max(1, third))),
        residentLate: largest(seen.slice(-Math.max(1, third))),
      }
    },
  }
}

const findOverload = async (server: LoadedServer, texts: Texts, seconds: number, servable: number) => {
  const senders = LOADING.map(client => ({
    client,
    connections: MANY,
    perSecond: (TIMES * servable) / LOADING.length,
    texts: texts(client),
  }))
  const memory = watchMemory(server)
  const cpuBefore = server.cpuSeconds()
  const results = [...(await generate({ port: server.port, seconds, senders })).values()]
  const accepted = results.map(one => one.accepted)
  const refused = results.map(one => one.refused)
  return {
    ...memory.end(),
    offered: sum(results.map(({ sent }) => sent)) / seconds,
    unsent: sum(results.map(({ unsent }) => unsent)) / seconds,
    accepted: sum(accepted.map(({ count }) => count)) / seconds,
    acceptedP99: largest(accepted.map(({ p99 }) => p99)),
    kinds: kindsOf(results),
    processors: (server.cpuSeconds() - cpuBefore) / seconds,
    refused: sum(refused.map(({ count }) => count)) / seconds,
    refusedP50: largest(refused.map(({ p50 }) => p50)),
    refusedP99: largest(refused.map(({ p99 }) => p99)),
    withoutRetryAfter: sum(results.map(one => one.withoutRetryAfter)),
    others: othersOf(results),
  }
}

/** Time until requests in a row are answered as usual, a request for a token first, in milliseconds. */
const findRecovery = async (server: LoadedServer, usualMs: number): Promise<number> => {
  const began = performance.now()
  let first = began
  let token: string | undefined
  for (let inRow = 0; inRow < AS_USUAL; ) {
    const at = performance.now()
    if (at - began > RECOVERY_MS) return RECOVERY_MS
    token ??= await server.token(POLITE).catch(() => undefined)
    const response = await fetch(`http://127.0.0.1:${server.port}/postpaid-billing/v1/payments?perPage=5`, {
      headers: { authorization: `Bearer ${token}` },
    }).catch(() => undefined)
    await response?.text()
    const isUsual = response?.status === 200 && performance.now() - at < usualMs
    if (isUsual && inRow === 0) first = at
    inRow = isUsual ? inRow + 1 : 0
    if (!isUsual) await delay(20)
  }
  return first - began
}

/** Measures all of it on a server that has just started. */
export async function measureOverload(server: LoadedServer, durations: Durations): Promise<OverloadFigures> {
  const texts = await textsOf(server)
  const { servable, usualP99 } = await findServable(server, texts, durations.servable)
  const fairness = await findFairness(server, texts, durations.fairness, servable)
  const overload = await findOverload(server, texts, durations.overload, servable)
  const recoveryMs = await findRecovery(server, Math.max(100, usualP99))
  return { seconds: durations.overload, servable, usualP99, ...fairness, ...overload, recoveryMs }
}
