/** The refusals of a request: everything that is wrong with it at once, in an order that clients can rely on. */

import type { Platform } from '#core/context/app.ts'
import { operationsOf, readDocument } from '#core/contract/openapi.ts'
import { compareFields, ShapeError } from '#core/contract/shape.ts'
import { shapeOf } from '#core/contract/validation.ts'
import { type ErrorCode, ServiceError } from '#core/errors/catalogue.ts'
import { CombinedError, combine, type Faults, faultsOf, isOfInput } from '#core/errors/faults.ts'
import { once } from '#core/values/once.ts'
import { startOfMonth } from '#core/values/time.ts'
import type { TransactionKind } from '../kind.ts'
import { aboveMaximum, beyondLimits, measureOf } from './check.ts'
import { readSpent } from './conflicts.ts'
import type { Measured } from './validate.ts'

type Dependencies = Pick<Platform, 'db' | 'config'>

/** The part of a request that its limits are checked by, as far as it could be read. */
export type MaybeMeasured = Pick<Measured, 'clientId' | 'limits'> & Partial<Measured>

/** The limits that a request would exceed, beside what else is wrong with it; decided under the lock where nothing is. */
const limitsOf = async ({ db, config }: Dependencies, kind: TransactionKind, measured: MaybeMeasured) => {
  if (!kind.limit || measureOf(kind, measured) === undefined) return []
  const { owner, measure } = kind.limit
  const isWhole = measured[owner] !== undefined && (measure === 'points' || measured.currency !== undefined)
  // Without owner or currency it is not known how much of the month's limit was used.
  if (!isWhole) return [aboveMaximum(kind, measured)].filter(refusal => refusal !== undefined)
  const month = startOfMonth(new Date(), config.timezone)
  return beyondLimits(kind, measured, { spent: await readSpent(db, kind, [measured], month) })
}

/**
 * Throws what rules found, if they found something, and with it the limits that would be exceeded.
 * @throws ServiceError with everything.
 */
export async function throwRefusals(
  app: Dependencies,
  kind: TransactionKind,
  faults: Faults,
  measured: MaybeMeasured,
): Promise<void> {
  if (!faults.any) return
  faults.add(await limitsOf(app, kind, measured))
  faults.throwAny()
}

/** The refusals by rules of a body that has stand-ins for its faults. */
const ruleRefusals = async (
  app: Dependencies,
  kind: TransactionKind,
  validate: () => Promise<Measured>,
): Promise<readonly ServiceError[]> => {
  try {
    return await limitsOf(app, kind, await validate())
  } catch (error) {
    // A database that is away must not hide what the schema refuses.
    return error instanceof ServiceError && faultsOf(error).every(isOfInput) ? faultsOf(error) : []
  }
}

/** The refusal of a request by the contract's schema, joined by those of the rules for the rest of it. */
export async function withRules(
  app: Dependencies,
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
