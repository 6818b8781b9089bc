/** Payments that partners post, in the form of the load generator. */
import { accountOf, mobileOf } from './fill.ts'

/** In whose place the load generator puts an id of its own. */
const ANY = '[<id>]'

const postOf = (index: number, clientCorrelatorId: string) => ({
  paymentTransaction: {
    clientCorrelatorId,
    referenceCode: `REF-${index}`,
    customerInfo: { customerAccountNumber: accountOf(index), phoneNumber: mobileOf(index) },
    paymentInfo: { paymentInformation: { amount: 5.25, currency: 'OMR', description: 'Monthly bill' } },
  },
})

/** The body of a payment, each with a correlator of its own unless it is given one. */
export const payment = (index: number, correlator = ANY): string => JSON.stringify(postOf(index, correlator))

/** The same with an event that goes to a receiver. */
export const paymentWithWebhook = (index: number, origin: string): string =>
  JSON.stringify({
    ...postOf(index, ANY),
    webhook: { notificationUrl: `${origin}/hooks`, notificationAuthToken: 'a-token' },
  })
