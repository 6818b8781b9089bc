/** What the callback policy says of an address that is posted. */
import { readAllowList } from '../../../subgraphs/shared/egress/allow-list.ts'
import { checkWebhookAddress } from '../../../subgraphs/shared/egress/callback-policy.ts'

/** Nothing is opened. */
export const NOTHING = readAllowList([])

/** `accepted`, or what is wrong with it. */
export const check = (address: string, allow = NOTHING) => {
  try {
    checkWebhookAddress('webhook.notificationUrl', address, allow)
    return 'accepted'
  } catch (error) {
    return (error as Error).message.replace('webhook.notificationUrl ', '')
  }
}
