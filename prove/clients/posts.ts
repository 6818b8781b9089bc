/** Bodies of what partners post: all kinds, for owners who are often met, over both interfaces. */
import { withField, withoutField } from '#test/support/fields.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import type { Body, ServiceFixture } from '#test/support/fixtures/fixture.ts'
import type { Post, Via } from '../history/lines.ts'

export type Random = (below: number) => number

export const ACCOUNTS = ['100001', '100002', '100003']
/** A closed one, whose payments are denied. */
export const CLOSED = '300001'
export const NUMBERS = ['96891000001', '96891000002', '96891000003']
/** A number that has no points at first, so that redemptions are declined. */
export const POOR = '96891000007'
export const PREPAID = ['96892000001', '96892000002']

export interface Prepared {
  readonly fixture: ServiceFixture
  readonly via: Via
  readonly body: Body
  readonly post: Post
}

/** Receivers by name, with the addresses that webhooks are posted with. */
export type Receivers = ReadonlyMap<string, string>

const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!

const ownerFor = (kind: string, client: string, random: Random): string => {
  if (kind === 'PAYMENT') return client !== 'pl' && random(12) === 0 ? CLOSED : pick(random, ACCOUNTS)
  if (kind === 'RECHARGE') return pick(random, PREPAID)
  // Half of all points are of one number, so that it is often short of them.
  return random(2) === 0 ? POOR : pick(random, NUMBERS)
}

/** A worth with all the decimals that the kind has, so that a lost digit shows. */
const worthFor = ({ kind }: ServiceFixture, random: Random): string | undefined => {
  if (kind === 'MESSAGE') return undefined
  const hundredths = 1 + random(kind === 'REDEMPTION' ? 600 : 300)
  return kind === 'PAYMENT' || kind === 'RECHARGE'
    ? (hundredths / 100 + random(10) / 1000).toFixed(3)
    : (hundredths / 100).toFixed(2)
}

const withOwner = (fixture: ServiceFixture, body: Body, owner: string): Body =>
  fixture.kind === 'PAYMENT'
    ? withField(body, 'paymentTransaction.customerInfo', { customerAccountNumber: owner })
    : withField(body, fixture.phone, owner)

/** Without a correlator, a payment is known by its reference. */
const withIdentity = (fixture: ServiceFixture, body: Body, name: string, isBare: boolean): Body => {
  const reference = fixture.group && `${fixture.group}.referenceCode`
  const referenced = reference ? withField(body, reference, name) : body
  return isBare
    ? withoutField(referenced, fixture.correlator)
    : withField(referenced, fixture.correlator, name)
}

export interface Choice {
  readonly client: string
  /** Unique name, at most 20 characters, which begins with the client's id. */
  readonly name: string
  readonly random: Random
  readonly receivers: Receivers
}

/** Chooses the next transaction of a client. */
export function preparePost({ client, name, random, receivers }: Choice): Prepared {
  const fixture = pick(random, FIXTURES)
  const { kind } = fixture
  const isBare = kind === 'PAYMENT' && random(4) === 0
  const owner = ownerFor(kind, client, random)
  const worth = worthFor(fixture, random)
  const receiver = random(4) === 0 ? undefined : pick(random, [...receivers.keys()])
  let body = withIdentity(fixture, withOwner(fixture, fixture.body(), owner), name, isBare)
  body = receiver
    ? withField(body, 'webhook', {
        notificationUrl: receivers.get(receiver),
        notificationAuthToken: `${client}-callback`,
      })
    : withoutField(body, 'webhook')
  if (worth) body = withField(body, fixture.money?.amount ?? fixture.points!, Number(worth))
  const via = random(3) === 0 ? 'graph' : 'rest'
  const hasKey = random(3) === 0 && via === 'rest' && !isBare
  const post: Post = {
    kind,
    ...(hasKey && { key: `key-${name}` }),
    ...(isBare ? {} : { correlator: name }),
    ...(fixture.group && { reference: name }),
    holder: owner,
    ...(worth && { worth }),
    ...(receiver && { receiver }),
  }
  return { fixture, via, body, post }
}
