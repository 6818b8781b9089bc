/** Sending one text to many recipients at once, each a message of its own. */
import { type Caller, requireRole } from '#core/access/principal.ts'
import type { App } from '#core/context/app.ts'
import { toServiceError } from '#core/data/database-errors.ts'
import { type ErrorCode, invalidField } from '#core/errors/catalogue.ts'
import type { ValidatedInput, ValidateInput } from '#core/graph/transaction-resolvers.ts'
import { withRules } from '#core/transactions/post/refusals.ts'
import type { SendSmsBatchInput } from '../graph.generated.ts'
import { MESSAGE } from '../kind.ts'
import type { CreateSendSingleSms } from '../rest.generated.ts'
import { type MessageRow, type Messages, numberOf, validateMessage } from '../rules.ts'
import { type Batches, correlatorOf } from './store.ts'

/** The result for one recipient. */
export interface SendResult {
  readonly recipient: string
  /** Id of the batch; absent where it was sent before batches were kept, and can be sent no more. */
  readonly batchId?: string
  readonly message?: MessageRow
  readonly error?: SendError
}

/** Reason why there is no message for a recipient. */
interface SendError {
  readonly code: ErrorCode
  readonly message: string
  readonly reason: string
  /** Place in the batch; undefined where no single field is at fault. */
  readonly field?: string
  readonly existingId?: string
}

const MOST_RECIPIENTS = 1_000
const CORRELATOR_LENGTH = 20

/** Most messages that are posted at once, so that one batch leaves slots for other clients. */
const POSTED_AT_ONCE = 100

/** Recipient that no rule refuses: whatever is refused of a message to it is refused of all messages of the batch. */
const VALID_RECIPIENT = '000'

const wrongCount = (count: number, most: number) =>
  invalidField('recipients', count === 0 ? 'TOO_FEW' : 'TOO_MANY', `must be 1 to ${most}`)

const wrongCorrelator = (most: number, recipients: number) =>
  invalidField(
    'clientCorrelatorId',
    'TOO_LONG',
    `must have 1 to ${most} characters with ${recipients} recipients: each one's number is added`,
  )

const repeated = (index: number, first: number) =>
  invalidField(
    `recipients[${index}]`,
    'DUPLICATE_RECIPIENT',
    `is the same as recipients[${first}]; the text is sent to it once`,
  )

const checkBatch = ({ clientCorrelatorId, recipients }: SendSmsBatchInput) => {
  if (recipients.length < 1 || recipients.length > MOST_RECIPIENTS)
    throw wrongCount(recipients.length, MOST_RECIPIENTS)
  const added = correlatorOf('', recipients.length).length
  const most = CORRELATOR_LENGTH - added
  if (clientCorrelatorId === '' || clientCorrelatorId.length > most)
    throw wrongCorrelator(most, recipients.length)
}

/** Finds the index at which each number stands first. */
const firstPlaces = (app: App, recipients: readonly string[]): Map<string, number> =>
  new Map(recipients.map((recipient, index) => [numberOf(app, recipient), index] as const).reverse())

/** The parts of a refusal beside its code, each a text. */
type Refusal = Pick<SendError, 'reason' | 'field' | 'existingId'>

/**
 * Turns a failure into the error of one recipient.
 * @param place of the recipient in the batch, which the message itself calls `recipient`.
 */
const toError = (app: App, error: unknown, place: string): SendError => {
  const { code, message, extensions } = toServiceError(error)
  if (code === 'SERVER_ERROR') app.log.error({ err: error }, 'unexpected failure')
  const { reason, field, existingId } = extensions as Refusal
  return { code, message, reason, field: field === 'recipient' ? place : field, existingId }
}

/**
 * Finds the fault of the fields that all messages share; undefined without one.
 * @throws ServiceError where they have the wrong shape.
 */
const sharedFault = async (
  app: App,
  caller: Caller,
  { body, shape }: ValidatedInput<CreateSendSingleSms>,
): Promise<unknown> => {
  if (shape) throw await withRules(app, MESSAGE, shape, () => validateMessage(app, caller, body))
  try {
    return void (await validateMessage(app, caller, body))
  } catch (error) {
    return error
  }
}

/** Finds or opens the batch of the results. None is opened where the shared fields are refused. */
const batchFor = async (
  batches: Batches,
  { principal }: Caller,
  batch: SendSmsBatchInput,
  fault: unknown,
) => {
  const { clientCorrelatorId, recipients } = batch
  return fault
    ? batches.find(principal.clientId, clientCorrelatorId)
    : batches.open(principal.clientId, clientCorrelatorId, recipients.length)
}

/** Whether a message was accepted, now or when the batch was sent before. */
const wasAccepted = ({ message, error }: SendResult) => Boolean(message ?? error?.existingId)

/**
 * Makes the function that sends one text to many recipients, each a message of its own, accepted or refused alone (the
 * contract's overview names this without giving a path, so it is the graph's alone). The results stand in the
 * recipients' order. Faults of the shared fields refuse the batch at once, unless some of its messages were accepted
 * before, when no rule was against them.
 * @param batches store of batches, for following their progress.
 * @param validate checks each message as `sendSms` does.
 */
export const createBatch =
  (app: App, service: Messages, batches: Batches, validate: ValidateInput<CreateSendSingleSms>) =>
  async (caller: Caller, batch: SendSmsBatchInput): Promise<SendResult[]> => {
    requireRole(caller.principal, ['partner'], 'sendSmsBatch')
    checkBatch(batch)
    const { recipients, ...shared } = batch
    const bodyFor = (recipient: string, index: number) =>
      validate(caller, {
        ...shared,
        recipient,
        clientCorrelatorId: correlatorOf(batch.clientCorrelatorId, index + 1),
      })
    const fault = await sharedFault(app, caller, bodyFor(VALID_RECIPIENT, 0))
    const batchId = await batchFor(batches, caller, batch, fault)

    const places = firstPlaces(app, recipients)
    const send = async (recipient: string, index: number): Promise<SendResult> => {
      try {
        const first = places.get(numberOf(app, recipient))!
        if (first < index) throw repeated(index, first)
        const { body, shape } = bodyFor(recipient, index)
        return { recipient, batchId, message: await service.create(caller, body, shape) }
      } catch (error) {
        return { recipient, batchId, error: toError(app, error, `recipients[${index}]`) }
      }
    }
    const results: SendResult[] = []
    for (let start = 0; start < recipients.length; start += POSTED_AT_ONCE) {
      const group = recipients.slice(start, start + POSTED_AT_ONCE)
      results.push(...(await Promise.all(group.map((recipient, index) => send(recipient, start + index)))))
    }
    if (fault && !results.some(wasAccepted)) throw fault
    if (batchId) await batches.close(batchId, results.filter(result => !wasAccepted(result)).length)
    return results
  }
