/** Parts of a response put together are the whole response, over generated operations with `@defer`. */
import { parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareInParts, failing, type InParts, openInParts, withoutSome } from './support/in-parts.ts'

/** A fraction of it, unless the machine is very busy. */
const TIMEOUT = 300_000

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
