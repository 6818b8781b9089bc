/** REST: the operation of `schema/messaging.openapi.yaml` as a call of the service. */
import { transactionOperations } from '#core/http/rest.ts'
import type { ShownRow } from '#core/transactions/columns.ts'
import { smsParts } from '#core/values/sms.ts'
import { MESSAGE } from './kind.ts'
import type { CreatedSendSingleSms } from './rest.generated.ts'
import type { MessageBody } from './rules.ts'

const toMessage = ({ id, status, body }: ShownRow<MessageBody>): CreatedSendSingleSms => ({
  otlTransactionId: id,
  transactionOperationStatus: status as CreatedSendSingleSms['transactionOperationStatus'],
  smsCount: 1,
  smsParts: smsParts(body.smsText),
})

export const operations = transactionOperations(MESSAGE, (_app, _caller, row: ShownRow<MessageBody>) =>
  toMessage(row),
)
