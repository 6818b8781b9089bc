// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts of sources
/** Mistakes in what is written: posts, limits, movements, statuses and events. */
import { LEDGER, type Sabotage, SYSTEMS } from './sabotage.ts'

export const WRITING_SABOTAGES: readonly Sabotage[] = [
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
    text: 'const balance = (balances.get(balanceKeyText(movement)) ?? new Decimal(0)).plus(movement.amount)',
    by: 'const before = balances.get(balanceKeyText(movement)) ?? new Decimal(0)\n    const balance = before.plus(movement.amount.toDecimalPlaces(2))',
  },
  {
    ...LEDGER,
    topology: 'instances',
    name: 'skipped-lock',
    mistake: 'balances are read without a lock, while another instance changes them',
    file: 'core/charging/booking.ts',
    text: 'ORDER BY holder, kind, currency FOR UPDATE`',
    by: 'ORDER BY holder, kind, currency`.then(async rows => { await new Promise(done => setTimeout(done, 300)); return rows })',
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
      await new Promise(done => setTimeout(done, 500))
      return rows
    }, { timeout: app.config.requestTimeoutMs })
    late.catch(early.reject)
    return await early.promise`,
    faults: ['kill a server', 'kill PostgreSQL', 'end all connections'],
  },
  {
    ...LEDGER,
    name: 'unlimited',
    mistake: 'what was carried out does not count for the monthly limit',
    file: 'core/transactions/post/refusals.ts',
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
    name: 'key-of-any-request',
    mistake: 'another request under a used key gets the first answer',
    file: 'core/transactions/post/idempotency-key.ts',
    text: 'if (first.digest !== digestOf(first.id, request) ||',
    by: 'if (',
  },
  {
    ...LEDGER,
    name: 'replay-as-it-is-now',
    mistake: 'a repetition under its key is answered with the status that the transaction has by now',
    file: 'core/transactions/post/idempotency-key.ts',
    text: 'return { ...first, status: kind.initial, completedAt: null, reason: null }',
    by: 'return first',
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
