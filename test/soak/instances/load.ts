/** Posts of partners during the run: all kinds, with one client at its limits and one number short of points. */
import { setTimeout as delay } from 'node:timers/promises'
import { fieldOf, withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { ServiceFixture } from '../../support/fixtures/fixture.ts'
import type { Partner, Post } from './partner.ts'

export const FREE = { id: 'many-free', role: 'partner', dummyCards: true } as const
export const LIMITED = {
  id: 'many-limited',
  role: 'partner',
  dummyCards: true,
  monthlyAmount: '5',
  monthlyPoints: '5',
} as const
/** Has no points at first. */
export const POOR = '96891000007'

export interface LoadOptions {
  readonly partner: Partner
  readonly tokens: ReadonlyMap<string, string>
  readonly webhook: string
  /** Whole numbers below a bound, repeatable. */
  readonly random: (below: number) => number
  /** How many post at a time; ten unless given. */
  readonly workers?: number
}

type Client = typeof FREE | typeof LIMITED

const WORKERS = 10
const PAUSE_MS = 15

/** Redemptions may be declined, which gives back what was used of a limit; so the limited client posts none. */
const kindsOf = (client: Client) =>
  client === FREE ? FIXTURES : FIXTURES.filter(({ kind }) => kind !== 'REDEMPTION' && kind !== 'MESSAGE')

const measureAt = ({ money, points }: ServiceFixture) => money?.amount ?? points

/** Where one number gains and loses points, so that it is often short of them. */
const isPoor = ({ kind }: ServiceFixture, client: Client) =>
  kind === 'REDEMPTION' || (kind === 'REWARD' && client === FREE)

const bodyOf = (
  fixture: ServiceFixture,
  client: Client,
  correlator: string,
  measure: number,
  webhook: string,
) => {
  let body = withField(fixture.body(), fixture.correlator, correlator)
  body = withField(body, 'webhook.notificationUrl', webhook)
  if (measureAt(fixture)) body = withField(body, measureAt(fixture)!, measure)
  return isPoor(fixture, client) ? withField(body, fixture.phone, POOR) : body
}

const holderOf = (fixture: ServiceFixture, body: unknown) =>
  fixture.kind === 'PAYMENT'
    ? fieldOf(body, 'paymentTransaction.customerInfo.customerAccountNumber')
    : fieldOf(body, fixture.phone)

/** The n-th post. */
const nextPost = ({ tokens, random, webhook }: LoadOptions, n: string): Post => {
  const client = random(2) === 0 ? LIMITED : FREE
  const kinds = kindsOf(client)
  const fixture = kinds[random(kinds.length)]!
  const measure = (1 + random(fixture.kind === 'REDEMPTION' ? 400 : 200)) / 100
  const correlator = `many-${n}`
  const body = bodyOf(fixture, client, correlator, measure, webhook)
  const holder = String(holderOf(fixture, body))
  return { fixture, client: client.id, token: tokens.get(client.id)!, correlator, body, holder, measure }
}

/** Posts until stopped; the returned function resolves when everything begun has its response. */
export function startLoad(options: LoadOptions): () => Promise<void> {
  let stopped = false
  const work = async (worker: number) => {
    for (let n = 0; !stopped; n++) {
      await options.partner.post(nextPost(options, `${worker}-${n}`))
      await delay(PAUSE_MS)
    }
  }
  const workers = Promise.all(Array.from({ length: options.workers ?? WORKERS }, (_, worker) => work(worker)))
  return async () => {
    stopped = true
    await workers
  }
}

/** Posts payments at a steady rate, each without waiting for the one before. */
export async function paySteadily(options: LoadOptions, perSecond: number, seconds: number): Promise<void> {
  const fixture = FIXTURES.find(({ kind }) => kind === 'PAYMENT')!
  const posts: Promise<void>[] = []
  const began = Date.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    await delay(Math.max(0, began + (n * 1_000) / perSecond - Date.now()))
    const correlator = `many-steady-${n}`
    const body = bodyOf(fixture, FREE, correlator, 0.5, options.webhook)
    const token = options.tokens.get(FREE.id)!
    const post = { fixture, client: FREE.id, token, correlator, body, holder: '', measure: 0.5 }
    posts.push(options.partner.post(post))
  }
  await Promise.all(posts)
}
