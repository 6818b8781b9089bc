/** The queue of the request log: bounded whatever comes, with every request counted in some entry. */
import { describe, expect, it } from 'vitest'
import { RequestFacts } from '#core/observability/request-facts.ts'
import { RequestQueue } from '#core/requests/request-log.ts'

interface Given {
  readonly operation?: string
  readonly client?: string
  readonly code?: string
  readonly transactionId?: string
}

const ended = ({ operation = 'getPayment', client = 'a', code, transactionId }: Given = {}) => {
  const head = { correlator: 'c', method: 'GET', path: '/', way: 'REST', operation } as const
  const facts = Object.assign(new RequestFacts(head), { code, transactionId, status: code ? 400 : 200 })
  facts.principal = { clientId: client, role: 'partner' }
  return facts
}

const weightsOf = (queue: RequestQueue) => queue.take().map(({ weight }) => weight)

describe('the queue of ended requests', () => {
  it('REQ-QUEUE-01 MUST keep each request below its mark', () => {
    const queue = new RequestQueue({ mark: 3, most: 4 })
    for (let count = 0; count < 3; count++) queue.add(ended())
    expect(weightsOf(queue)).toEqual([1, 1, 1])
    expect(queue.joined).toBe(0)
  })

  it('REQ-QUEUE-02 MUST join successful requests that are alike above its mark, and count them', () => {
    const queue = new RequestQueue({ mark: 2, most: 10 })
    for (let count = 0; count < 50; count++) queue.add(ended())
    for (let count = 0; count < 7; count++) queue.add(ended({ client: 'b' }))
    expect(weightsOf(queue)).toEqual([1, 49, 7])
    expect(queue.joined).toBe(48 + 6)
  })

  it('REQ-QUEUE-03 MUST keep refusals and posts one by one until it is full, and join them then', () => {
    const queue = new RequestQueue({ mark: 1, most: 4 })
    for (let count = 0; count < 2; count++) queue.add(ended({ code: 'INVALID_ARGUMENT' }))
    for (let count = 0; count < 2; count++) queue.add(ended({ transactionId: `${count}` }))
    for (let count = 0; count < 5; count++) queue.add(ended({ code: 'INVALID_ARGUMENT' }))
    expect(queue.size).toBe(4)
    expect(weightsOf(queue)).toEqual([1, 6, 1, 1])
  })

  it('REQ-QUEUE-04 MUST count as lost what is like nothing in a full queue', () => {
    const queue = new RequestQueue({ mark: 1, most: 2 })
    for (let count = 0; count < 9; count++) queue.add(ended({ operation: `made-up-${count}` }))
    expect(queue.size).toBe(2)
    expect(queue.lost).toBe(7)
  })

  it('REQ-QUEUE-05 MUST take back what could not be written, as far as there is room, before what came since', () => {
    const queue = new RequestQueue({ mark: 2, most: 3 })
    for (const operation of ['one', 'two']) queue.add(ended({ operation }))
    const taken = queue.take()
    for (const operation of ['three', 'four']) queue.add(ended({ operation }))
    queue.giveBack(taken)
    queue.add(ended({ operation: 'one' }))
    const entries = queue.take()
    expect(entries.map(({ facts, weight }) => [facts.operation, weight])).toEqual([
      ['one', 2],
      ['three', 1],
      ['four', 1],
    ])
    expect(queue.lost).toBe(1)
  })
})
