/** REST: each operation of `schema/messaging.openapi.yaml` as a call of the service. */
import type { App } from '../shared/context/app.ts'
import type { Operations } from '../shared/http/rest.ts'
import { smsParts } from '../shared/values/sms.ts'
import type { CreatedSendSingleSms } from './rest.generated.ts'
import type { MessageRow, MessageService } from './service.ts'

const toMessage = ({ id, status, body }: MessageRow): CreatedSendSingleSms => ({
  otlTransactionId: id,
  transactionOperationStatus: status as CreatedSendSingleSms['transactionOperationStatus'],
  smsCount: 1,
  smsParts: smsParts(body.smsText),
})

export const operations = (_: App, service: MessageService): Operations => ({
  sendSms: async ({ caller, body }) => ({
    status: 201,
    body: toMessage(await service.sendSms(caller, body)),
  }),
})
