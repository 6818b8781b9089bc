/**
 * Sabotages of the program: each changes one place of a source as a server loads it, as a mistake would, so that the checks
 * are checked. A run with a sabotage that finds nothing is a fault of the checks.
 */
import type { TopologyName } from '../stage/stage.ts'

export interface Sabotage {
  readonly name: string
  /** The mistake, in words. */
  readonly mistake: string
  /** Source from the root of the project. */
  readonly file: string
  /** Text that stands there once, and what takes its place. */
  readonly text: string
  readonly by: string
  /** Where it shows. */
  readonly topology: TopologyName
  readonly behind: 'ledger' | 'systems'
  /** Faults that bring it to light; none where it shows without any. */
  readonly faults?: readonly string[]
}

const LEDGER = { topology: 'postgres', behind: 'ledger' } as const
const SYSTEMS = { topology: 'postgres', behind: 'systems' } as const

export const SABOTAGES: readonly Sabotage[] = [
  {
    ...LEDGER,
    name: 'lost-event',
    mistake: 'one event in twenty is not written',
    file: 'core/transactions/settle/finalize.ts',
    text: 'const events = settled.map(one => toEvent(kind, one, log.now))',
    by: 'const events = settled.filter(({ row }) => row.position % 20n !== 7n).map(one => toEvent(kind, one, log.now))',
  },
  {
    ...LEDGER,
    name: 'event-in-advance',
    mistake: 'an event says that every transaction succeeded',
    file: 'core/transactions/settle/finalize.ts',
    text: "eventType: succeeded ? 'PAYMENT_COMPLETED' : 'PAYMENT_FAILED'",
    by: "eventType: 'PAYMENT_COMPLETED'",
  },
  {
    ...LEDGER,
    name: 'doubled-movement',
    mistake: 'a balance moves twice where two orders of a batch have one owner',
    file: 'core/charging/booking.ts',
    text: 'balances.set(balanceKeyText(movement), balance)',
    by: 'balances.set(balanceKeyText(movement), applied.length % 5 === 1 ? balance.plus(movement.amount) : balance)',
  },
  {
    ...LEDGER,
    name: 'lost-update',
    mistake: 'a balance is written as it was read by the first order of a batch',
    file: 'core/charging/booking.ts',
    text: "const balance = (balances.get(balanceKeyText(movement)) ?? new Decimal(0)).plus(movement.amount)",
    by: "const before = balances.get(balanceKeyText(movement)) ?? new Decimal(0)\n    const balance = before.plus(movement.amount.toDecimalPlaces(2))",
  },
  {
    ...LEDGER,
    topology: 'instances',
    name: 'skipped-lock',
    mistake: 'balances are read without a lock, while another instance changes them',
    file: 'core/charging/booking.ts',
    text: 'ORDER BY holder, kind, currency FOR UPDATE`',
    by: 'ORDER BY holder, kind, currency`.then(async rows => { await new Promise(done => setTimeout(done, 40)); return rows })',
  },
  {
    ...LEDGER,
    name: 'points-below-zero',
    mistake: 'points may be redeemed that are not there',
    file: 'core/charging/booking.ts',
    text: "if (kind === 'points' && balance.isNegative()) return declined('The points do not suffice')",
    by: "if (kind === 'points' && balance.lt(-2)) return declined('The points do not suffice')",
  },
  {
    ...LEDGER,
    name: 'reversal-without-movement',
    mistake: 'what is taken back keeps its points',
    file: 'core/charging/ledger.ts',
    text: 'const result = applyOrder(opposite, balances, applied)\n  await writeMovements(tx, REVERSALS, applied, balances)',
    by: 'const result = applyOrder(opposite, new Map(balances), applied)\n  await writeMovements(tx, REVERSALS, applied, balances)',
  },
  {
    ...LEDGER,
    name: 'answer-before-commit',
    mistake: 'a post is answered before it is committed',
    file: 'core/transactions/post/insert.ts',
    text: 'return await insert(batch)',
    by: `const early = Promise.withResolvers<Inserted[]>()
    const late = app.db.$transaction(async tx => {
      const rows = await insertAccepted(app, tx, kind, batch)
      early.resolve(rows)
      await new Promise(done => setTimeout(done, 150))
      return rows
    }, { timeout: app.config.requestTimeoutMs })
    late.catch(early.reject)
    return await early.promise`,
    faults: ['kill a server', 'kill PostgreSQL', 'end all connections'],
  },
  {
    ...LEDGER,
    name: 'unlimited',
    mistake: 'what is still being settled does not count for the monthly limit',
    file: 'core/transactions/post/conflicts.ts',
    text: "['FAILED', 'CANCELLED', 'REVERSED']",
    by: "['FAILED', 'CANCELLED', 'REVERSED', 'COMPLETED']",
  },
  {
    ...LEDGER,
    name: 'forgotten-correlator',
    mistake: 'a correlator that was used before is not recognized',
    file: 'core/transactions/post/check.ts',
    text: 'const first = clientCorrelatorId && existing.correlators.get(correlatorKey(transaction))',
    by: 'const first = clientCorrelatorId && existing.correlators.get(`${correlatorKey(transaction)}!`)',
  },
  {
    ...LEDGER,
    name: 'forgotten-reference',
    mistake: 'a payment without a correlator is posted again with the same reference',
    file: 'core/transactions/post/check.ts',
    text: '!existing.references.has(referenceKey(transaction))',
    by: '!existing.references.has(transaction.referenceCode!)',
  },
  {
    ...LEDGER,
    name: 'dropped-cursor',
    mistake: 'a subscriber that resumes begins with the next event, not behind its cursor',
    file: 'core/events/feed.ts',
    text: 'after: after ?? bounds.head',
    by: 'after: bounds.head > (after ?? 0n) + 3n ? (after ?? bounds.head) + 1n : (after ?? bounds.head)',
  },
  {
    ...LEDGER,
    name: 'repeated-event',
    mistake: 'the event at which a replay ends comes once more, live',
    file: 'core/events/stream.ts',
    text: 'event.position <= this.#seen) return',
    by: 'event.position < this.#seen) return',
  },
  {
    ...LEDGER,
    name: 'replay-one-short',
    mistake: 'the last event of a page of the replay is left out',
    file: 'core/events/stream.ts',
    text: 'this.#queue.fill(events)',
    by: 'this.#queue.fill(events.length > 1 ? events.slice(0, -1) : events)',
  },
  {
    ...LEDGER,
    name: 'stale-share',
    mistake: 'a row that was read for one client serves the others',
    file: 'core/transactions/service/transactions.ts',
    text: 'if (!row || !isVisibleRow(visibleRows(caller.principal), row))',
    by: 'if (!row)',
  },
  {
    ...LEDGER,
    name: 'blind-visibility',
    mistake: 'the lists of the graph are not narrowed to their client',
    file: 'core/access/visibility.ts',
    text: 'return conditions.length === 0 ? Prisma.sql`TRUE` : Prisma.join(conditions, \' AND \')',
    by: 'return conditions.length === 0 || alias === \'t\' ? Prisma.sql`TRUE` : Prisma.join(conditions, \' AND \')',
  },
  {
    ...LEDGER,
    name: 'list-off-by-one',
    mistake: 'a page of a list begins one entry late',
    file: 'core/transactions/read/list.ts',
    text: 't.${number} > bounds.first + ${start} AND',
    by: 't.${number} > bounds.first + ${start > 0 ? start + 1 : start} AND',
  },
  {
    ...LEDGER,
    name: 'list-by-time',
    mistake: 'a list is in the order of the ids, not in that of the commits',
    file: 'core/transactions/read/list.ts',
    text: 'ORDER BY t.${number} LIMIT ${perPage}`',
    by: 'ORDER BY t.amount, t.${number} LIMIT ${perPage}`',
  },
  {
    ...LEDGER,
    name: 'webhook-taken-for-delivered',
    mistake: 'a redirect counts as delivered',
    file: 'core/webhooks/attempt.ts',
    text: 'if (isSuccess({ status })) return { status, error: null }',
    by: 'if (isSuccess({ status }) || status === 302 || status === 500) return { status: 204, error: null }',
  },
  {
    ...LEDGER,
    name: 'webhook-out-of-order',
    mistake: 'a later event of a transaction does not wait for the earlier',
    file: 'core/webhooks/claim.ts',
    text: 'AND earlier.position < d.position AND',
    by: 'AND earlier.position < 0 AND',
  },
  {
    ...LEDGER,
    name: 'wrong-lease',
    mistake: 'a webhook is leased for a day, so that nobody sends what a killed process had in flight',
    file: 'core/webhooks/claim.ts',
    text: 'const LEASE_MS = 20_000',
    by: 'const LEASE_MS = 86_400_000',
    faults: ['kill a server'],
  },
  {
    ...LEDGER,
    name: 'lost-checkpoint',
    mistake: 'the timeline passes over the last of a batch',
    file: 'subgraphs/activity/projection/project.ts',
    text: 'if (log) await createEntries(tx, kind, log, bare)',
    by: 'if (log) await createEntries(tx, kind, log.to - log.from > 1n ? { ...log, to: log.to - 1n } : log, bare)',
  },
  {
    ...LEDGER,
    name: 'timeline-keeps-pending',
    mistake: 'the timeline does not follow one event in fifteen',
    file: 'subgraphs/activity/projection/project.ts',
    text: 'await changeEntries(tx, kind, log)',
    by: 'if (log.to % 15n !== 3n) await changeEntries(tx, kind, log)',
  },
  {
    ...LEDGER,
    name: 'export-cut-short',
    mistake: 'an export leaves out the last entry of a page',
    file: 'subgraphs/activity/export/export.ts',
    text: 'if (nodes.length > 0) yield nodes',
    by: 'if (nodes.length > 0) yield nodes.slice(0, -1)',
  },
  {
    ...LEDGER,
    name: 'half-settled',
    mistake: 'movements commit before status and event do',
    file: 'core/transactions/settle/settle.ts',
    text: 'const results = await system.post(tx, orders)\n    return finalize(',
    by: 'const results = await app.db.$transaction(own => system.post(own, orders))\n    await new Promise(done => setTimeout(done, 120))\n    return finalize(',
    faults: ['kill a server', 'end all connections'],
  },
  {
    ...SYSTEMS,
    name: 'declined-is-done',
    mistake: 'what the charging system declined is finished as if it were carried out',
    file: 'connectors/http/orders/finalize.ts',
    text: 'open!.map(row => ({ row, result: resultOf(row) })),',
    by: "open!.map(row => ({ row, result: resultOf(row).outcome === 'declined' ? { outcome: 'done' as const } : resultOf(row) })),",
  },
  {
    ...SYSTEMS,
    name: 'unrecorded-charge',
    mistake: 'what the charging system carried out is not noted in our books',
    file: 'connectors/http/orders/finalize.ts',
    text: 'executed.map(row => orderOf(settlement, row)),',
    by: 'executed.slice(1).map(row => orderOf(settlement, row)),',
  },
  {
    ...LEDGER,
    name: 'process-that-ends',
    mistake: 'an error that nobody waits for ends the process',
    file: 'core/transactions/settle/settle.ts',
    text: 'for (const { status } of settled) app.metrics.settled.inc({ kind: kind.name, status })',
    by: "for (const { status } of settled) app.metrics.settled.inc({ kind: kind.name, status })\n  if (settled.some(({ row }) => row.position % 120n === 60n)) void Promise.reject(new Error('nobody waits for this'))",
  },
]

/** @throws Error naming those that there are. */
export function sabotageNamed(name: string): Sabotage {
  const found = SABOTAGES.find(one => one.name === name)
  if (!found) throw new Error(`there is no sabotage ${name}: ${SABOTAGES.map(one => one.name).join(', ')}`)
  return found
}

/**
 * The source with the mistake in it.
 * @throws Error where the text stands there not once: the program has changed, and the sabotage has to follow.
 */
export function sabotaged({ name, file, text, by }: Sabotage, source: string): string {
  const parts = source.split(text)
  if (parts.length !== 2) throw new Error(`sabotage ${name}: its text stands ${parts.length - 1} times in ${file}`)
  return parts.join(by)
}
