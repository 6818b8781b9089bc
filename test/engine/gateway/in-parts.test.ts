/** Parts of a response put together are the whole response, over generated operations with `@defer`. */
import { parse, validate } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hash } from '#test/support/random.ts'
import {
  compareInParts,
  createPartsTally,
  expectWhole,
  failing,
  type InParts,
  openInParts,
  withoutSome,
} from './support/in-parts.ts'

/** A fraction of it, unless the machine is very busy. */
const TIMEOUT = 300_000

/** Operations in which a field fails, or all subgraphs but one do: what differed once. */
const EXAMPLES: Record<string, { text: string; fails?: string; reached?: string }> = {
  'a field that a literal leaves out': {
    text: `query ($c: Boolean! = true) { recharges { totalCount }
      ... @include(if: $c) @defer { recharge(rechargeId: "1") { webhookDeliveries @include(if: false) { kind } } } }`,
    fails: 'kind',
  },
  'a field that every subgraph has': {
    text: `{ transaction(id: "id0") { ... on Reward @defer { webhook { notificationUrl } one: id } } }`,
    reached: 'activity',
  },
  'the name of a type': { text: '{ ... @defer { __typename } }', reached: 'none' },
  'a field of one of two fragments': {
    text: `query ($c: Boolean! = false) { transaction(id: "id2") { webhookDeliveries { attempts }
      ... @defer { createdAt @skip(if: $c) webhookDeliveries { nextAttemptAt } } }
      transaction(id: "id2") { ... @defer { customer { totalDues @include(if: $c) } } } }`,
    fails: 'nextAttemptAt',
  },
  'a fragment within one that came to nothing': {
    text: `mutation { sendSmsBatch(input: { clientCorrelatorId: "1", sender: "1", recipients: ["1"], smsText: "1" }) {
      message { ... @defer { kind ... on Message @defer { webhookDeliveries { kind } recipient } } } } }`,
    fails: 'kind recipient',
  },
}

describe('@defer', { timeout: TIMEOUT }, () => {
  let opened: InParts
  beforeAll(async () => {
    opened = await openInParts()
  }, TIMEOUT)
  afterAll(() => opened[Symbol.asyncDispose]())

  it('DEFER-SAME-01 MUST come to the whole response', async () => {
    const tally = await compareInParts(opened, [0, 100], () => opened.answerer())
    expect(tally.inParts).toBeGreaterThan(tally.operations / 4)
    expect(tally.inLists).toBeGreaterThan(0)
    expect(tally.nested).toBeGreaterThan(0)
  })

  it('DEFER-SAME-02 MUST come to the whole response where fields fail', async () => {
    const tally = await compareInParts(opened, [200, 300], seed => failing(opened, seed))
    expect(tally.withErrors).toBeGreaterThan(0)
  })

  it.each(Object.entries(EXAMPLES))(
    'DEFER-SAME-05 MUST come to the whole response: %s',
    async (_, { text, fails = '', reached }) => {
      const operation = { document: parse(text), text }
      expect(validate(opened.schema, operation.document)).toEqual([])
      const failing = fails.split(' ')
      for (let seed = 0; seed < 8; seed++) {
        const answerer = opened.answerer(
          (field, self) => failing.includes(field) && hash(`${seed} ${self}`) % 2 === 0,
        )
        await expectWhole(
          opened,
          operation,
          async (subgraph, question) =>
            reached === undefined || reached.split(' ').includes(subgraph)
              ? answerer(subgraph, question)
              : JSON.stringify({ errors: [{ message: `${subgraph} cannot be reached` }] }),
          createPartsTally(),
        )
      }
    },
  )

  it('DEFER-SAME-04 MUST give up what is still to be fetched when the client leaves', async () => {
    const text = '{ subscriber(mobileNumber: "1") { kind ... @defer { summary(by: ALL) { count } } } }'
    const { promise: never } = Promise.withResolvers<string>()
    const { aborted } = await opened.leave({ document: parse(text), text }, async (subgraph, question) =>
      subgraph === 'activity' ? never : opened.answerer()(subgraph, question),
    )
    expect(aborted).toBe(true)
  })

  it('DEFER-SAME-03 MUST come to the whole response where subgraphs cannot be reached', async () => {
    const tally = await compareInParts(opened, [400, 500], seed => withoutSome(failing(opened, seed), seed))
    expect(tally.withErrors).toBeGreaterThan(0)
  })
})
