/** `cancelTransaction` and `reverseTransaction`: interventions of an operator's portal in a transaction of any kind. */
import { type Caller, requireRole, requireUnbound } from '#core/access/principal.ts'
import { visibleRows } from '#core/access/visibility.ts'
import { type Action, actorOf, recordAct } from '#core/audit/acts.ts'
import type { App } from '#core/context/app.ts'
import { invalidField, notFound } from '#core/errors/catalogue.ts'
import { checkCardTexts } from '#core/transactions/post/validate.ts'
import { type InterventionAction, intervene } from '#core/transactions/settle/intervene.ts'
import { isId } from '#core/values/id.ts'
import { checkReference } from '#core/values/text.ts'
import { type Kinds, kindNamed, kindOf, referTo, type TransactionReference } from './kinds.ts'

/** Transaction to intervene in, and the reason. */
interface InterventionArgs {
  readonly id: string
  readonly reason: string
}

/**
 * Cancels or reverses a transaction, and returns it; the same again changes nothing. The client must be a portal, with a
 * token that is bound to no number.
 * @throws ServiceError INVALID_ARGUMENT with the reason where that is impossible; NOT_FOUND where there is no such
 * transaction.
 */
export type Intervene = (
  caller: Caller,
  action: InterventionAction,
  args: InterventionArgs,
) => Promise<TransactionReference>

const ACT: Readonly<Record<InterventionAction, Action>> = {
  CANCEL: 'TRANSACTION_CANCELLED',
  REVERSE: 'TRANSACTION_REVERSED',
}

const OPERATION = { CANCEL: 'cancelTransaction', REVERSE: 'reverseTransaction' } as const

const checkReason = (app: App, caller: Caller, reason: string): string => {
  const text = reason.trim()
  if (text === '') throw invalidField('reason', 'TOO_SHORT', 'must say why')
  checkReference('reason', text)
  checkCardTexts(app, caller, 'activity', '', { reason: text })
  return text
}

const findKind = async ({ db }: App, kinds: Kinds, { principal }: Caller, id: string) => {
  const name = isId(id) ? await kindOf(db, kinds, id, visibleRows(principal)) : undefined
  if (name === undefined) throw notFound(`Transaction ${id.slice(0, 64)}`)
  return kindNamed(kinds, name)
}

/**
 * Makes the function that intervenes.
 * @param kinds every kind of transaction that there is.
 */
export const createIntervene =
  (app: App, kinds: Kinds): Intervene =>
  async (caller, action, { id, reason }) => {
    const { principal, correlator, signal } = caller
    requireRole(principal, ['portal'], OPERATION[action])
    requireUnbound(principal, OPERATION[action])
    const text = checkReason(app, caller, reason)
    const kind = await findKind(app, kinds, caller, id)
    const request = {
      transactionId: id.toLowerCase(),
      action,
      clientId: principal.clientId,
      correlator,
      reason: text,
    }
    const { row, isChanged } = await app.db.$transaction(
      async tx => {
        const intervened = await intervene(tx, app.charging.for(kind), kind, request)
        const details = { kind: kind.name, isChanged: intervened.isChanged }
        await recordAct(tx, {
          actor: actorOf(caller),
          action: ACT[action],
          target: request.transactionId,
          details,
        })
        return intervened
      },
      { signal },
    )
    app.log.info(
      { correlator, by: principal.clientId, transactionId: row.id, kind: kind.name, action, isChanged },
      'a transaction was intervened in',
    )
    const reference = referTo(kind, row.id)
    if (!isChanged) return reference
    app.metrics.settled.inc({ kind: kind.name, status: row.status })
    app.eventsWritten.emit()
    return reference
  }
