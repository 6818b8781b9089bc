/** What partners post, as the load generator takes it. */
import { accountOf, mobileOf } from './fill.ts'

/** The body of a payment, each with a correlator of its own, whose event goes to a receiver. */
export const paymentWithWebhook = (index: number, origin: string) =>
  JSON.stringify({
    paymentTransaction: {
      clientCorrelatorId: '[<id>]',
      referenceCode: `REF-${index}`,
      customerInfo: { customerAccountNumber: accountOf(index), phoneNumber: mobileOf(index) },
      paymentInfo: { paymentInformation: { amount: 5.25, currency: 'OMR', description: 'Monthly bill' } },
    },
    webhook: { notificationUrl: `${origin}/hooks`, notificationAuthToken: 'a-token' },
  })
