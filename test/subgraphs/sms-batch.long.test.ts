/** A batch of SMS as a whole: its id, what it has come to, and who may watch that as it changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '../support/both-interfaces.ts'
import { unique } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect } from '../support/subscribe.ts'

const HOUR = 3_600_000

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = async (query: string, variables: object = {}, as = token) => {
  const { data, errors } = await graphOf(stack)(query, { token: as, variables })
  return { data, error: errors[0] }
}

const SEND = `mutation ($input: SendSmsBatchInput!) { sendSmsBatch(input: $input) {
  batchId message { otlTransactionId } error { code existingId } } }`

interface Sent {
  readonly batchId: string | null
  readonly message: { otlTransactionId: string } | null
  readonly error: { code: string; existingId: string | null } | null
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(96_891_000_001 + n))

const send = async (input: object, as = token): Promise<Sent[]> => {
  const shared = { clientCorrelatorId: unique(), sender: 'MuscatPay', smsText: 'Hello all' }
  const { data, error } = await ask(SEND, { input: { ...shared, ...input } }, as)
  if (error) throw new Error(error.message)
  return data.sendSmsBatch
}

const COUNTS = 'recipients accepted pending sent failed refused complete'
const read = async (batchId: string, as = token) =>
  (await ask(`query ($id: ID!) { smsBatch(batchId: $id) { ${COUNTS} } }`, { id: batchId }, as)).data.smsBatch

/** Keeps messages from being sent meanwhile. */
const unsent = async (act: () => Promise<void>) => {
  const messaging = stack.server.services.find(({ name }) => name === 'messaging')!
  await messaging.stop()
  try {
    await act()
  } finally {
    await messaging.start()
    await messaging.settled()
  }
}

const cursorNow = async () => (await ask('{ latestEventCursor }')).data.latestEventCursor as string

const PROGRESS = `subscription ($id: ID!, $after: String) {
  smsBatchProgress(batchId: $id, after: $after) { cursor batch { ${COUNTS} } } }`

const follow = (batchId: string, after?: string, as = token) => {
  const socket = connect(stack.address, bearer(as))
  const progress = socket.subscribe(PROGRESS, { id: batchId, after })
  const until = async (isReached: (batch: Record<string, number>) => boolean) => {
    const seen = []
    do seen.push((await progress.next()).data.smsBatchProgress)
    while (!isReached(seen.at(-1).batch))
    return seen
  }
  return { ...progress, until, [Symbol.dispose]: () => socket[Symbol.dispose]() }
}

describe('a batch', () => {
  it('BATCH-01 has one id in all its results, and counts what has become of its messages', async () => {
    let batchId = ''
    await unsent(async () => {
      const results = await send({ recipients: [...numbers(3), '12', '96891000001'] })
      batchId = results[0]!.batchId!
      expect(results.map(one => one.batchId)).toEqual(Array(5).fill(batchId))
      expect(await read(batchId)).toEqual({
        recipients: 5,
        accepted: 3,
        pending: 3,
        sent: 0,
        failed: 0,
        refused: 2,
        complete: false,
      })
      const late = new Date(Date.now() - 25 * HOUR)
      await stack.app.db.message.update({
        where: { id: results[1]!.message!.otlTransactionId },
        data: { createdAt: late },
      })
    })
    expect(await read(batchId)).toMatchObject({ pending: 0, sent: 2, failed: 1, complete: true })
  })

  it('BATCH-02 keeps its id when it is sent again, and counts nothing twice', async () => {
    const clientCorrelatorId = `a${unique()}`
    const [first] = await send({ clientCorrelatorId, recipients: numbers(2) })
    const again = await send({ clientCorrelatorId, recipients: numbers(3) })
    expect(again.map(({ batchId, error }) => [batchId, error?.existingId != null])).toEqual([
      [first!.batchId, true],
      [first!.batchId, true],
      [first!.batchId, false],
    ])
    await stack.settled()
    expect(await read(first!.batchId!)).toMatchObject({
      recipients: 3,
      accepted: 3,
      refused: 0,
      complete: true,
    })
  })

  it('BATCH-03 is not mistaken for another, however alike their correlators are', async () => {
    const name = `b${unique()}`.slice(0, 10)
    const [one] = await send({ clientCorrelatorId: name, recipients: numbers(2) })
    const [other] = await send({ clientCorrelatorId: `${name}-1`, recipients: numbers(4) })
    const other2 = await stack.token('demo-partner-2')
    const [foreign] = await send({ clientCorrelatorId: name, recipients: numbers(1) }, other2)
    expect(await read(one!.batchId!)).toMatchObject({ recipients: 2, accepted: 2 })
    expect(await read(other!.batchId!)).toMatchObject({ recipients: 4, accepted: 4 })
    expect(await read(foreign!.batchId!, other2)).toMatchObject({ recipients: 1, accepted: 1 })
  })

  it('BATCH-04 that is refused as a whole leaves nothing', async () => {
    const before = await stack.app.db.smsBatch.count()
    await expect(send({ recipients: numbers(2), smsText: 'a'.repeat(1_001) })).rejects.toThrow('smsText')
    const late = { recipients: numbers(2), expiryTime: '2020-01-01T00:00:00Z' }
    await expect(send(late)).rejects.toThrow('expiryTime')
    expect(await stack.app.db.smsBatch.count()).toBe(before)
  })

  it('BATCH-05 is seen by its client, portals and analysts, and by no token of theirs that is bound to a number', async () => {
    const [{ batchId }] = (await send({ recipients: numbers(1) })) as [Sent]
    for (const client of ['demo-portal', 'demo-analyst'])
      expect(await read(batchId!, await stack.token(client))).toMatchObject({ recipients: 1 })
    const bound = { id: 'batch-bound', role: 'portal', phoneNumber: '96891000001' } as const
    for (const client of ['demo-partner-2', bound]) {
      const as = await stack.token(client)
      expect(await read(batchId!, as)).toBeNull()
      using watched = follow(batchId!, undefined, as)
      expect(await watched.ended).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
    }
    expect(await read('x')).toBeNull()
  })
})

describe('smsBatchProgress', () => {
  it('BATCH-06 shows hundreds of messages come to their ends, in a few steps, the last one included', async () => {
    const clientCorrelatorId = `t${unique()}`
    let results: Sent[] = []
    const after = await cursorNow()
    await unsent(async () => {
      results = await send({ clientCorrelatorId, recipients: numbers(400) })
    })
    using watched = follow(results[0]!.batchId!, after)
    const seen = await watched.until(({ complete }) => Boolean(complete))
    expect(seen.at(-1).batch).toEqual({
      recipients: 400,
      accepted: 400,
      pending: 0,
      sent: 400,
      failed: 0,
      refused: 0,
      complete: true,
    })
    expect(seen.length).toBeLessThan(20)
  })

  it('BATCH-07 tells of no other message than those of the batch, and goes on after a cursor', async () => {
    const [{ batchId }] = (await send({ recipients: numbers(2) })) as [Sent]
    await stack.settled()
    const after = await cursorNow()
    using watched = follow(batchId!, after)
    await send({ recipients: numbers(3) })
    await unsent(async () => {
      const { clientCorrelatorId } = await stack.app.db.smsBatch.findUniqueOrThrow({
        where: { id: batchId! },
      })
      const again = await send({ clientCorrelatorId, recipients: numbers(3) })
      expect(again[2]!.message).not.toBeNull()
    })
    const [first] = await watched.until(() => true)
    expect(first.batch).toMatchObject({ recipients: 3, sent: 3, complete: true })
    using later = follow(batchId!, first.cursor)
    await unsent(async () => {
      const { clientCorrelatorId } = await stack.app.db.smsBatch.findUniqueOrThrow({
        where: { id: batchId! },
      })
      await send({ clientCorrelatorId, recipients: numbers(4) })
    })
    expect((await later.until(() => true))[0].batch).toMatchObject({ sent: 4 })
    expect(watched.rest().length).toBeLessThanOrEqual(1)
  })
})
