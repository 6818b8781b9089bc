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
  POSTED,
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

type Scope = [string, (fields: string) => string, (row: Written) => boolean]

/** A line's page; `include` as it is requested, empty where it is left to the default. */
const lineScope = (number: string, include: string, isIn: (row: Written) => boolean): Scope => [
  `number ${number} ${include}`,
  fields => {
    const selection = include
      ? fields.replaceAll(/\b(timeline|summary)\(/g, `$1(include: ${include}, `)
      : fields
    return `subscriber(mobileNumber: "+${number}") { ${selection} }`
  },
  isIn,
]

const [[several, [one]], [alone, [only]]] = Object.entries(ACCOUNTS) as [
  [string, [string]],
  [string, [string]],
]

/** Owners whose timelines are read, with their arguments and the transactions that belong to them. */
export const SCOPES: Scope[] = [
  ['everything', fields => fields, () => true],
  ...Object.keys(POSTED).map(
    (account): Scope => [
      `account ${account}`,
      fields => `customer(customerAccountNumber: "${account}") { ${fields} }`,
      row => row.accountNumber === account,
    ],
  ),
  lineScope(one, '', row => row.mobileNumber === one),
  lineScope(one, 'ACCOUNT', row => row.mobileNumber === one || row.accountNumber === several),
  lineScope(only, '', row => row.mobileNumber === only || row.accountNumber === alone),
  lineScope(only, 'NUMBER', row => row.mobileNumber === only),
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
