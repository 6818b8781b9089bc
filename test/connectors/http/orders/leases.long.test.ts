/** Orders to an outside charging system: leases, backlogs, and a change of the system. */

import { describe, expect, it } from 'vitest'
import { claimHeads, claimHeld, enqueueOrders, openProgress } from '#connectors/http/orders/queue.ts'
import { giveUpOrders } from '#core/charging/backlog.ts'
import type { App } from '#core/context/app.ts'
import type { Statements } from '#core/data/db.ts'
import { newId } from '#core/values/id.ts'
import { settlement } from '#subgraphs/postpaid-billing/rules.ts'
import { notOnCitus } from '#test/support/not-on-citus.ts'
import { orderRow } from './rows.ts'
import { accept, DONE, openOrders, statusesOf } from './support.ts'

describe('leases', () => {
  const limits = { kind: 'PAYMENT', slots: 10, leaseMs: 60_000 }

  it('ORDER-20 keep an order and those behind it from others until they run out', async () => {
    await using opened = await openOrders()
    const { app } = opened
    const [first] = await accept(app, ['1', '1'])
    await openProgress(app.db, settlement.kind)
    await enqueueOrders(app, settlement)
    expect((await claimHeads(app.db, limits, '')).orders).toMatchObject([{ id: first, state: 'waiting' }])
    expect((await claimHeads(app.db, limits, '')).orders).toEqual([])
    await app.db.$executeRaw`UPDATE charging."order" SET leased_until = now() - interval '1 second'`
    expect((await claimHeads(app.db, limits, '')).orders).toMatchObject([{ id: first, state: 'sent' }])
  })

  it('ORDER-21 a word that comes after its lease counts only if it is a result', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    const [first, second] = await accept(app, ['1', '2'])
    const results: ((progress: object) => void)[] = []
    system.onSubmit = () => new Promise(resolve => results.push(resolve as never))
    const settler = await opened.start()
    const idle = settler.idle()
    while (results.length < 2) await new Promise(setImmediate)
    await app.db.$executeRaw`UPDATE charging."order" SET leased_by = ${newId()}::uuid`
    for (const [index, call] of system.calls.entries())
      results[index]!(call.endsWith(first!) ? DONE : { outcome: 'pending' })
    await idle
    expect(await statusesOf(app, [first!, second!])).toEqual(['succeeded', 'processing'])
    expect(await orderRow(app, second!)).toMatchObject({ state: 'sent' })
    await settler.stop()
  })

  it('ORDER-22 owners have their turns, however many orders one of them has', async () => {
    await using opened = await openOrders()
    const { app } = opened
    await accept(app, ['1', '1', '1', '2', '3', '4', '5'])
    await openProgress(app.db, settlement.kind)
    await enqueueOrders(app, settlement)
    const owners: string[] = []
    let after = ''
    do {
      const { orders, reached } = await claimHeads(app.db, { ...limits, slots: 2 }, after)
      for (const { id } of orders) owners.push((await orderRow(app, id)).owner)
      after = reached
    } while (after !== '')
    expect(owners.toSorted()).toEqual(['1', '2', '3', '4', '5'])
  })
})

describe('a backlog', () => {
  const fill = ({ db }: App, count: number, owner: string) => db.$executeRaw`
    INSERT INTO charging."order" (transaction_id, kind, owner, position, created_at)
    SELECT gen_random_uuid(), 'PAYMENT', ${owner}, i, now() FROM generate_series(1, ${count}::int) i`

  /** Rows of the table that this transaction has read so far. */
  const rowsRead = async (tx: Statements) => {
    const [{ rows }] = await tx.$queryRaw<[{ rows: number }]>`
      SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
      FROM pg_stat_xact_user_tables WHERE schemaname = 'charging' AND relname = 'order'`
    return rows
  }

  it.skipIf(notOnCitus('plans and statistics of one server'))(
    'ORDER-25 costs a claim nothing, whatever the statistics say of it',
    async () => {
      await using opened = await openOrders()
      const { app } = opened
      await app.db.$executeRaw`ANALYZE charging."order"`
      await fill(app, 20_000, 'many')
      for (let owner = 0; owner < 20; owner++) await fill(app, 1, `one-${owner}`)
      const limits = { kind: 'PAYMENT', slots: 10, leaseMs: 60_000 }
      await app.db.$transaction(async tx => {
        const before = await rowsRead(tx)
        expect((await claimHeads(tx, limits, '')).orders).toHaveLength(10)
        expect((await rowsRead(tx)) - before).toBeLessThan(500)
        expect(await rowsRead(tx)).toBeGreaterThan(before)
        await claimHeld(tx, limits)
        expect((await rowsRead(tx)) - before).toBeLessThan(500)
      })
    },
  )
})

describe('a change of the system', () => {
  it('ORDER-30 leaves to the ledger what was never sent', async () => {
    await using opened = await openOrders()
    const { app } = opened
    await accept(app, ['1'])
    await openProgress(app.db, settlement.kind)
    await enqueueOrders(app, settlement)
    await giveUpOrders(app.db, settlement.kind)
    expect(await app.db.chargeOrder.count()).toBe(0)
    await openProgress(app.db, settlement.kind)
    await enqueueOrders(app, settlement)
    expect(await app.db.chargeOrder.count()).toBe(1)
  })

  it('ORDER-31 is refused while the outcome of orders is not known', async () => {
    await using opened = await openOrders()
    const { app, system } = opened
    await accept(app, ['1'])
    system.onSubmit = () => ({ outcome: 'pending' })
    const settler = await opened.start()
    await settler.idle()
    await settler.stop()
    await expect(giveUpOrders(app.db, settlement.kind)).rejects.toThrow(
      '1 order(s) of postpaid-billing are with an outside charging system',
    )
  })
})
