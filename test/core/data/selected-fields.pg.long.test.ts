/** Each field of a transaction, and of an entry of the timeline, is the same whatever is selected beside it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLField,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BothWays, startBothWays } from './both-ways.ts'

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../../schema/api.graphql'), 'utf8'))

let both: BothWays
beforeAll(async () => {
  both = await startBothWays()
})
afterAll(() => both[Symbol.asyncDispose]())

type Field = GraphQLField<unknown, unknown>

/** The selection of a field that takes no arguments: leaves, and those of objects below. */
const selectionOf = ({ name, type }: Field, depth = 2): string | undefined => {
  const named = getNamedType(type)
  if (isLeafType(named)) return name
  if (!isObjectType(named) || depth === 0) return undefined
  const fields = Object.values(named.getFields()).filter(field => !field.args.some(isRequiredArgument))
  const below = fields.flatMap(field => selectionOf(field, depth - 1) ?? [])
  return below.length > 0 ? `${name} { ${below.join(' ')} }` : undefined
}

const fieldsOf = (typename: string): string[] => {
  const type = schema.getType(typename)
  if (!isObjectType(type)) throw new Error(`${typename} is no type`)
  return Object.values(type.getFields()).flatMap(field => selectionOf(field) ?? [])
}

const KINDS = ['payment', 'recharge', 'reward', 'redemption', 'message'] as const

describe.each(KINDS)('what is selected of each %s', noun => {
  const typename = noun.charAt(0).toUpperCase() + noun.slice(1)
  const idField = noun === 'message' ? 'otlTransactionId' : `${noun}Id`
  const fields = fieldsOf(typename)
  const nameOf = (selection: string) => selection.split(' ')[0]!
  /** The second time it is compiled, which must make no difference. */
  const page = async (selection: string) => {
    const query = `{ ${noun}s(first: 4) { nodes { ${selection} } } }`
    const [first, second] = [await both.ask('demo-portal', query), await both.ask('demo-portal', query)]
    expect(second).toEqual(first)
    return second
  }

  it('HOT-06 MUST be the same alone as with everything else, in a page and as an entity', async () => {
    const whole = (await page(fields.join(' ')))[`${noun}s`].nodes
    expect(whole.length).toBe(4)
    for (const selection of fields) {
      const name = nameOf(selection)
      const alone = (await page(selection))[`${noun}s`].nodes
      expect(alone).toEqual(whole.map((node: Record<string, unknown>) => ({ [name]: node[name] })))
    }
    const query = (selection: string) =>
      `{ timeline(first: 40, filter: { kinds: [${noun.toUpperCase()}] }) {
        nodes { transaction { ... on ${typename} { ${idField} ${selection} } } } } }`
    const transactions = async (selection: string) =>
      (await both.ask('demo-portal', query(selection))).timeline.nodes.map(
        ({ transaction }: { transaction: unknown }) => transaction,
      )
    const all = await transactions(fields.join(' '))
    for (const selection of fields) {
      const name = nameOf(selection)
      const expected = all.map((node: Record<string, unknown>) => ({
        [idField]: node[idField],
        [name]: node[name],
      }))
      expect(await transactions(selection)).toEqual(expected)
    }
    both.expectSame(2 * fields.length)
  })

  it('HOT-07 MUST be all that is read of it, by fragments and aliases too', async () => {
    both.take()
    await both.ask(
      'demo-portal',
      `query ($no: Boolean = false) { ${noun}s(first: 2) {
        edges { cursor node { ...F } } nodes { __typename theStatus: transactionOperationStatus } } }
      fragment F on Transaction { ... on ${typename} { money: amount { value } } reason @include(if: $no) }`,
    )
    const found = both.take().filter(({ text }) => text.includes(`"${noun}" t`))
    const [row] = found.flatMap(({ ofDriver }) => ofDriver as object[])
    const read = ['id', 'position', 'clientPosition', 'status', 'reason', 'currency', 'amount', 'cut']
    expect(Object.keys(row!).sort()).toEqual(read.sort())
  })
})

it('HOT-08 MUST show the same of an entry of the timeline alone as with everything else', async () => {
  const fields = fieldsOf('TimelineEntry')
  const pageOf = async (selection: string, args = '') => {
    const query = `{ timeline(first: 30${args}) { nodes { ${selection} } } }`
    return (await both.ask('demo-portal', query)).timeline.nodes
  }
  for (const args of ['', ', orderBy: LARGEST_AMOUNT_FIRST', ', filter: { text: "bill" }']) {
    const whole = await pageOf(fields.join(' '), args)
    expect(whole.length).toBeGreaterThan(3)
    for (const selection of fields) {
      const name = selection.split(' ')[0]!
      const expected = whole.map((node: Record<string, unknown>) => ({ [name]: node[name] }))
      expect(await pageOf(selection, args)).toEqual(expected)
    }
  }
  both.expectSame(3 * fields.length)
})
