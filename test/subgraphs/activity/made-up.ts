/** Made-up histories of transactions, and what their tests ask of them. */
import { afterAll, beforeAll } from 'vitest'
import { type Stack, startStack } from '../../support/stack.ts'
import { type Graph, graphOf } from './graph.ts'
import {
  ACCOUNTS,
  createRandom,
  fillDirectory,
  isOpen,
  PARTNERS,
  pick,
  post,
  settle,
  unsettled,
  type Written,
} from './history.ts'

export const HOUR = 3_600_000

/** The times of a history: hours apart, and now and then on the very edge of a day. */
export const timesFrom = (start: number, count: number, random: () => number) => {
  let time = start
  return Array.from({ length: count }, () => {
    time += Math.floor(random() * 5 * HOUR)
    const day = 24 * HOUR
    const edges = [-1, 0].map(ms => Math.ceil(time / day) * day + pick(random, [-4, 4, 5]) * HOUR + ms)
    if (random() < 0.15) time = Math.max(time, pick(random, edges))
    return new Date(time)
  })
}

/** Zones, each with the seed of its history. */
export const ZONES = [
  ['Asia/Muscat', 11],
  ['America/New_York', 12],
] as const

/** Whose timelines are read, how, and which transactions belong to them. */
export const SCOPES: [string, (fields: string) => string, (row: Written) => boolean][] = [
  ['everything', fields => fields, () => true],
  ...Object.entries(ACCOUNTS).map(
    ([account, numbers]) =>
      [
        `account ${account}`,
        (fields: string) => `customer(customerAccountNumber: "${account}") { ${fields} }`,
        (row: Written) =>
          row.accountNumber === account || numbers.some(number => number === row.mobileNumber),
      ] as [string, (fields: string) => string, (row: Written) => boolean],
  ),
  [
    'a number',
    fields => `subscriber(mobileNumber: "+96897000001") { ${fields} }`,
    row => row.mobileNumber === '96897000001',
  ],
]

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
export const inner = (data: any) => data.customer ?? data.subscriber ?? data

export const idOf = ({ transaction: { id } }: { transaction: { id: string } }) => id

/** Posts a history before the tests of the `describe` that it is called in, and settles some of it. */
export const useHistory = (zone: string, seed: number) => {
  const random = createRandom(seed)
  let stack: Stack
  let history: Written[]
  const tokens: Record<string, string> = {}
  const ask = (who: string): Graph => graphOf(stack, tokens[who]!)

  const settleSome = async () => {
    await settle(
      stack.app,
      random,
      history.filter(row => isOpen(row) && random() < 0.6),
    )
    await stack.settled()
  }

  beforeAll(async () => {
    stack = await startStack({ env: { DEMO: '0', OPERATOR_TIMEZONE: zone }, parts: unsettled })
    await fillDirectory(stack.app)
    for (const id of PARTNERS) tokens[id] = await stack.token({ id, role: 'partner' })
    tokens['analyst'] = await stack.token({ id: 'act-analyst', role: 'analyst' })
    const times = timesFrom(Date.parse('2026-10-24T00:00:00Z'), 240, random)
    history = await post(stack.app, random, times.slice(0, 80))
    await stack.settled()
    await settleSome()
    history.push(...(await post(stack.app, random, times.slice(80))))
    await settleSome()
    await settleSome()
  })
  afterAll(() => stack[Symbol.asyncDispose]())
  return {
    random,
    ask,
    get stack() {
      return stack
    },
    get history() {
      return history
    },
  }
}
