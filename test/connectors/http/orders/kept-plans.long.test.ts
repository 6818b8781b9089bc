/** The rows that a statement about orders reads do not depend on how many there were when it was planned. */
import { expect, it } from 'vitest'
import { endOrders } from '#connectors/http/orders/finalize.ts'
import { claimInterventions } from '#connectors/http/orders/interventions.ts'
import { claimHeads, claimHeld } from '#connectors/http/orders/queue.ts'
import type { Statements } from '#core/data/db.ts'
import { type Case, expectToReadLittle, FILLED, TAKEN } from '#test/support/kept-plans.ts'
import { notOnCitus } from '#test/support/not-on-citus.ts'

const addOrders = (state: string) => (tx: Statements) =>
  tx.$executeRaw`
  INSERT INTO charging."order" (transaction_id, kind, owner, position, state, created_at, next_attempt_at)
  SELECT gen_random_uuid(), 'PAYMENT', n::text, n, ${state}, now(), now() - interval '1 s'
  FROM generate_series(1, ${FILLED}::int) n`

const ORDERS = { kind: 'PAYMENT', slots: TAKEN, leaseMs: 60_000 }

const endSome = async (tx: Statements) => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT transaction_id AS id FROM charging."order" LIMIT ${TAKEN}`
  expect(
    await endOrders(
      tx,
      rows.map(({ id }) => ({ id, result: { outcome: 'done' } })),
    ),
  ).toBe(TAKEN)
}

const addWanted = (tx: Statements) => tx.$executeRaw`
  INSERT INTO events.intervention (transaction_id, action, kind, client_id, correlator, reason, requested_at)
  SELECT gen_random_uuid(), 'CANCEL', 'PAYMENT', 'kept', '', '', now() FROM generate_series(1, ${FILLED}::int) n`

const CASES: Readonly<Record<string, Case>> = {
  'claiming first orders': {
    table: ['charging', 'order'],
    plan: tx => claimHeads(tx, ORDERS, ''),
    fill: addOrders('waiting'),
    act: async tx => expect((await claimHeads(tx, ORDERS, '')).orders).toHaveLength(TAKEN),
  },
  'claiming held orders': {
    table: ['charging', 'order'],
    plan: tx => claimHeld(tx, ORDERS),
    fill: addOrders('pending'),
    act: async tx => expect(await claimHeld(tx, ORDERS)).toHaveLength(TAKEN),
  },
  'claiming wanted interventions': {
    table: ['events', 'intervention'],
    plan: tx => claimInterventions(tx, ORDERS),
    fill: addWanted,
    act: async tx => expect(await claimInterventions(tx, ORDERS)).toHaveLength(TAKEN),
  },
  'ending orders': {
    table: ['charging', 'order'],
    plan: tx => endOrders(tx, []),
    fill: addOrders('pending'),
    act: endSome,
  },
}

it.skipIf(notOnCitus('plans and statistics of one server')).each(Object.entries(CASES))(
  'PLAN-02 %s reads next to nothing beyond what it takes',
  (_, one) => expectToReadLittle(one),
)
