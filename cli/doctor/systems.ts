/** Checks of systems that the server calls: a webhook receiver that is named, and the identity provider. */
import { request } from 'undici'
import type { Config } from '#core/config/config.ts'
import { checkWebhookAddress } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import { isObject } from '#core/values/json.ts'
import { errorText } from '../output.ts'
import { excerptOf, type Finding, found } from './finding.ts'
import { askAt, jsonOf } from './request.ts'

const RECEIVER = 'receiver'

/** A receiver that is slower leaves little of the ten seconds that an attempt may take. */
const SLOW_MS = 2_000

/**
 * Measures how long a receiver takes to answer, by the rules that webhooks have: allowed addresses alone, no redirects. It is
 * asked with HEAD, and whatever it answers shows that it is reached.
 */
export async function checkReceiver(
  { webhookAllow }: Config,
  receiver: string,
  limitMs: number,
): Promise<readonly Finding[]> {
  try {
    checkWebhookAddress(receiver, receiver, webhookAllow)
  } catch (error) {
    return [
      found.broken(
        RECEIVER,
        `Webhooks to ${excerptOf(errorText(error))}: name another address, or open it with WEBHOOK_ALLOW.`,
      ),
    ]
  }
  const { origin } = new URL(receiver)
  const dispatcher = createGuardedAgent({ allow: webhookAllow })
  const began = performance.now()
  try {
    const signal = AbortSignal.timeout(limitMs)
    const { statusCode, body } = await request(receiver, { method: 'HEAD', dispatcher, signal })
    await body.dump()
    const took = Math.round(performance.now() - began)
    const answered = `${origin} answers from here in ${took} ms (HEAD, ${statusCode})`
    return [
      took > SLOW_MS
        ? found.degraded(
            RECEIVER,
            `${answered}, which is slow: an attempt of a webhook may take 10 s in all.`,
          )
        : found.well(RECEIVER, `${answered}.`),
    ]
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    const why = isLate ? `no answer within ${limitMs / 1_000} s` : excerptOf(errorText(error))
    return [
      found.broken(
        RECEIVER,
        `${origin} cannot be reached from here (${why}): see its name, the network and firewalls in between, and WEBHOOK_ALLOW.`,
      ),
    ]
  } finally {
    await dispatcher.destroy()
  }
}

const PROVIDER = 'identity provider'

/** Checks that the public keys of each outside identity provider can be read. */
export const checkIdentityProvider = async ({ auth }: Config, limitMs: number): Promise<readonly Finding[]> =>
  (await Promise.all(auth.issuers.map(({ jwksUrl }) => checkKeysAt(new URL(jwksUrl), limitMs)))).flat()

async function checkKeysAt(url: URL, limitMs: number): Promise<readonly Finding[]> {
  const advice = 'no new token can be verified: see AUTH_JWKS_URL, and the way to it from here'
  const answer = await askAt(url, limitMs)(url.search).catch((error: Error) => error)
  if (answer instanceof Error)
    return [
      found.broken(
        PROVIDER,
        `Its keys at ${url.origin} cannot be read (${answer.message}), so that ${advice}.`,
      ),
    ]
  const body = jsonOf(answer)
  if (answer.status === 200 && isObject(body) && Array.isArray(body['keys']))
    return [
      found.well(PROVIDER, `Its ${body['keys'].length} key(s) are read in ${Math.round(answer.ms)} ms.`),
    ]
  return [found.broken(PROVIDER, `${url.origin} answers ${answer.status} without keys, so that ${advice}.`)]
}
