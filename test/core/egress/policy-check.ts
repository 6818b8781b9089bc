/** Check of a posted address by the callback policy. */
import { checkWebhookAddress, readAllowList } from '#core/egress/callback-policy.ts'

/** An empty allow list. */
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
