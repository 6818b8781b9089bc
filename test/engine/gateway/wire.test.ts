/**
 * Over the wire, an operation that is known is answered byte for byte as Apollo Server and Apollo Gateway answer it:
 * some of it, all in wire-long.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countHot, type WireRequest } from './support/two-servers.ts'
import { CUSTOMER_360, examplesOf, hashed, NUMBER, openWire, TIMEOUT, type Wire } from './support/wire.ts'

const ME = '{ me { id role } payments(first: 1) { totalCount } }'
const SIZED = 'query ($n: Int) { payments(first: $n) { nodes { paymentId kind } } }'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
}, TIMEOUT)
afterAll(() => wire?.[Symbol.asyncDispose]())

describe('operations that are known', { timeout: TIMEOUT }, () => {
  it('COMPILED-WIRE-01 MUST be answered the same three times', async () => {
    const hot = countHot()
    await wire.same(wire.portal({ query: CUSTOMER_360, variables: { n: NUMBER } }))
    for (const { query } of examplesOf('queries')
      .filter(one => !one.query.includes('$'))
      .slice(0, 5))
      await wire.same(wire.portal({ query }))
    expect(hot()).toBeGreaterThanOrEqual(10)
  })

  it('COMPILED-WIRE-02 MUST be refused the same', async () => {
    await wire.warm({ query: SIZED, variables: { n: 1 } })
    const more: [object, Partial<WireRequest>?][] = [
      [{ query: SIZED, variables: { n: 'x' } }],
      [{ query: SIZED, variables: { n: 100_000 } }],
      [{ query: SIZED, variables: [] }],
      [{ query: SIZED, operationName: 'Other' }],
      [{ query: SIZED, variables: { n: 1 }, more: 1 }],
      [{ query: SIZED, variables: { n: 1 } }, { token: undefined }],
      [{ query: SIZED, variables: { n: 1 } }, { headers: { accept: 'text/html' } }],
      [hashed(SIZED, { variables: { n: 1 } })],
    ]
    for (const [body, other] of more) await wire.same(wire.portal(body, other), 2)
  })

  it('COMPILED-WIRE-03 MUST give each client what is its own', async () => {
    const stranger = await wire.servers.opened.token({ id: 'wire-other', role: 'partner' })
    const tokens = [wire.token('demo-partner'), stranger, wire.token('demo-partner')]
    const answers = []
    for (const token of tokens) answers.push((await wire.same({ body: { query: ME }, token })).body)
    expect(new Set(answers).size).toBe(2)
  })
})
