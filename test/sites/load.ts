/** A partner that posts at an even pace: payments, and rewards that a portal takes back, so that some have two events. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { loyalty } from '#test/support/fixtures/loyalty.ts'
import { bearer } from '#test/support/subscribe.ts'

const PAYMENTS = '/postpaid-billing/v1/payments'
/** One of so many posts is a reward. */
const EVERY = 10
const RETRY_MS = 200
const MOST_TRIES = 100
const REVERSE = `mutation($id: ID!) { reverseTransaction(id: $id, reason: "Wrong number") { id } }`

/** Load at one server. */
export interface EvenLoad {
  /** Everything that was not accepted. */
  readonly faults: readonly string[]
  readonly posted: number
  /** Rewards that were taken back. */
  readonly reversed: number
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>
}

export interface EvenLoadOptions {
  readonly address: string
  readonly partner: string
  readonly portal: string
  readonly perSecond: number
}

const payment = () => ({
  paymentTransaction: {
    clientCorrelatorId: randomUUID(),
    referenceCode: 'sites',
    customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
    paymentInfo: { paymentInformation: { amount: 0.001, currency: 'OMR', description: 'sites' } },
  },
})

const reward = () => ({ ...loyalty.body(), webhook: undefined })

/** Begins to post. */
export function startEvenLoad({ address, partner, portal, perSecond }: EvenLoadOptions): EvenLoad {
  const faults: string[] = []
  const underWay = new Set<Promise<void>>()
  let [posted, reversed, turn] = [0, 0, 0]
  let isStopping = false
  const send = async (path: string, token: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...bearer(token) }
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, text: await response.text() }
  }
  /** Takes a reward back, as soon as it was carried out. */
  const reverse = async (id: string) => {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { text } = await send('/graphql', portal, { query: REVERSE, variables: { id } })
      if (!text.includes('"errors"')) {
        reversed += 1
        return
      }
      await delay(RETRY_MS)
    }
    faults.push(`${id} was not taken back`)
  }
  const post = async () => {
    const isReward = ++turn % EVERY === 0
    const [path, body] = isReward ? [loyalty.path, reward()] : [PAYMENTS, payment()]
    const { status, text } = await send(path, partner, body)
    if (status !== 201) return void faults.push(`${path} ${status} ${text}`)
    posted += 1
    if (isReward) await reverse(JSON.parse(text).rewardId)
  }
  const begin = () => {
    const one: Promise<void> = post()
      .catch(error => void faults.push(`${error}`))
      .finally(() => underWay.delete(one))
    underWay.add(one)
  }
  const timer = setInterval(() => isStopping || begin(), 1_000 / perSecond)
  return {
    faults,
    get posted() {
      return posted
    },
    get reversed() {
      return reversed
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}
