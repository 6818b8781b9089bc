/** Everything that is wrong with a request, told at once and in an order that clients can rely on. */

import type { App } from '../context/app.ts'
import { operationsOf, readDocument } from '../contract/openapi.ts'
import { compareFields, ShapeError } from '../contract/shape.ts'
import { shapeOf } from '../contract/validation.ts'
import { type ErrorCode, ServiceError } from '../errors/catalogue.ts'
import { CombinedError, combine, type Faults, faultsOf, isOfInput } from '../errors/faults.ts'
import { once } from '../values/once.ts'
import { startOfMonth } from '../values/time.ts'
import { aboveMaximum, beyondLimits, measureOf } from './check-posting.ts'
import type { TransactionKind } from './kind.ts'
import { readSpent } from './load-conflicts.ts'
import type { Measured } from './new-transaction.ts'

type Parts = Pick<App, 'reader' | 'config'>

/** As much of a request as its limits are checked by, in so far as it can be told. */
export type MaybeMeasured = Pick<Measured, 'clientId' | 'limits'> & Partial<Measured>

/** The limits that a request would exceed, beside what else is wrong with it; decided under the lock where nothing is. */
const limitsOf = async ({ reader, config }: Parts, kind: TransactionKind, measured: MaybeMeasured) => {
  if (!kind.limit || measureOf(kind, measured) === undefined) return []
  const { holder, measure } = kind.limit
  const isWhole = measured[holder] !== undefined && (measure === 'points' || measured.currency !== undefined)
  // Of whom, or of what, is not known: what was used of the month cannot be told.
  if (!isWhole) return [aboveMaximum(kind, measured)].filter(refusal => refusal !== undefined)
  const month = startOfMonth(new Date(), config.timezone)
  return beyondLimits(kind, measured, { spent: await readSpent(reader, kind, [measured], month) })
}

/**
 * Throws what rules found, if they found something, and with it the limits that would be exceeded.
 * @throws ServiceError with everything.
 */
export async function throwRefusals(
  app: Parts,
  kind: TransactionKind,
  faults: Faults,
  measured: MaybeMeasured,
): Promise<void> {
  if (!faults.any) return
  faults.add(await limitsOf(app, kind, measured))
  faults.throwAny()
}

/** What the rules refuse of a body with stand-ins, if they can be asked. */
const ruleRefusals = async (
  app: Parts,
  kind: TransactionKind,
  validate: () => Promise<Measured>,
): Promise<readonly ServiceError[]> => {
  try {
    return await limitsOf(app, kind, await validate())
  } catch (error) {
    // A database that is away does not keep what can be told without it from being told.
    return error instanceof ServiceError && faultsOf(error).every(isOfInput) ? faultsOf(error) : []
  }
}

/** What the schema refuses of a request, and the rules of the rest of it. */
export async function withRules(
  app: Parts,
  kind: TransactionKind,
  shape: ServiceError,
  validate: () => Promise<Measured>,
): Promise<ServiceError> {
  if (!(shape instanceof ShapeError)) return shape
  const others = (await ruleRefusals(app, kind, validate)).flatMap(refusal => shape.among(refusal))
  return new ShapeError([...shape.faults, ...others], [])
}

/** The order of checks (docs/decisions.md, "Identity and access"): whose number it is, the rules, the amounts. */
const STAGE_OF: Partial<Record<ErrorCode, number>> = {
  'CARRIER_BILLING.PHONE_NUMBER_REQUIRED': 1,
  'CARRIER_BILLING.INVALID_TOKEN_CONTEXT': 1,
  INVALID_ARGUMENT: 2,
  'CARRIER_BILLING.UNAUTHORIZED_AMOUNT': 3,
  'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED': 3,
}

/**
 * Makes the function that sorts refusals: those of the code that the request is refused by come first, and each in the
 * order that the schema has its field in. A body of a wrong shape is refused by that, whatever else there is.
 */
export function refusalsInOrder(kind: TransactionKind, documents?: string): (error: unknown) => unknown {
  const compare = once(() => {
    const document = readDocument(kind.service, documents)
    const operation = operationsOf(document).find(one => one.operationId === kind.createOperation)!
    return compareFields(shapeOf(document, operation.body!))
  })
  return error => {
    if (!(error instanceof CombinedError)) return error
    const stageOf = ({ code }: ServiceError) =>
      error instanceof ShapeError && code === 'INVALID_ARGUMENT' ? 0 : (STAGE_OF[code] ?? 4)
    return combine(
      error.faults.toSorted(
        (one, other) => stageOf(one) - stageOf(other) || compare()(one.field, other.field),
      ),
    )
  }
}
