/** An owner whose transactions nobody else may see, and those who try: another partner and bound clients. */

import type { NewClient } from '#core/access/client-input.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { withField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { Body, ServiceFixture } from '../../support/fixtures/fixture.ts'
import { createGraph } from '../../support/graph.ts'
import { createRest } from '../../support/rest.ts'
import { type Stack, startStack } from '../../support/stack.ts'
import { type LoneSubgraph, serveSubgraph } from '../../support/subgraph.ts'

/** Of account 100007; nothing that the owner posts concerns either. */
export const OWN_NUMBER = '96891000007'
/** Posted by the owner, found by nobody else. */
const AMOUNT = 1.357
const POINTS = 13.57
const SMS = 'Kept between us 7351'
export const FOREIGN_NUMBER = '96891000003'
export const FOREIGN_ACCOUNT = '100003'

export interface Intruder {
  readonly name: string
  readonly token: string
  /** Texts that must not be in any response to it, unless they stood in its request. */
  readonly markers: readonly string[]
  /** Whether it has posted nothing, so that every count must be 0. */
  readonly countsNothing: boolean
}

export interface IsolationStage extends AsyncDisposable {
  readonly stack: Stack
  readonly owner: string
  readonly intruders: readonly Intruder[]
  /** One of each kind, by the owner. */
  readonly ids: readonly string[]
  /** Of deliveries. */
  readonly deliveryIds: readonly string[]
  readonly cursors: readonly string[]
  /** Of the owner's events, the newest first. */
  readonly eventCursors: readonly string[]
  readonly correlators: readonly string[]
  readonly references: readonly string[]
  subgraph(name: string): LoneSubgraph
}

const set = (body: Body, path: string | undefined, value: unknown): Body =>
  path ? withField(body, path, value) : body

const bodyOf = ({ body, money, points, phone, name }: ServiceFixture): Body => {
  const amount = money && name === 'postpaid-billing' ? money.amount : undefined
  const filled = set(set(body(), amount, AMOUNT), points, POINTS)
  return name === 'messaging'
    ? { ...filled, smsText: SMS, recipient: FOREIGN_NUMBER }
    : phone.includes('customerInfo') || name === 'prepaid'
      ? filled
      : set(filled, phone, FOREIGN_NUMBER)
}

const post = async (stack: Stack, token: string) => {
  const posted: { id: string; body: string }[] = []
  for (const fixture of FIXTURES) {
    const body = bodyOf(fixture)
    const response = await createRest(stack.address)('POST', fixture.path, { token, body })
    posted.push({ id: response.body[fixture.idField], body: JSON.stringify(body) })
  }
  await stack.settled()
  return posted
}

const found = (texts: readonly string[], name: string) =>
  texts.flatMap(text => [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, one]) => one!))

const SEEN = `{ events { edges { cursor } } timeline { edges { cursor } } webhookDeliveries { nodes { id } edges { cursor } }
  ${FIXTURES.map(({ list }) => `${list} { edges { cursor } }`).join(' ')} }`

const CUSTOMER = `{ customer(customerAccountNumber: "${FOREIGN_ACCOUNT}") { customerName custAddr1 custAddr2 totalDues }
  own: customer(phoneNumber: "+${OWN_NUMBER}") { customerName custAddr1 custAddr2 totalDues }
  balance: subscriber(mobileNumber: "+${FOREIGN_NUMBER}") { pointsBalance } }`

/** Facts of the foreign customer that are not those of the own one. */
const customerMarkers = async (stack: Stack): Promise<string[]> => {
  const { data } = await createGraph(stack.address)(CUSTOMER, { token: await stack.token('demo-portal') })
  const own = Object.values(data.own).map(String)
  const filled = Object.values(data.customer).map(String)
  const balance = `"pointsBalance":${data.balance.pointsBalance}`
  return [...filled.filter(one => one.length > 3 && !own.includes(one)), balance]
}

const client = (id: string, role: NewClient['role'], phoneNumber?: string): NewClient => ({
  id,
  role,
  phoneNumber,
  dummyCards: true,
})

/** Starts everything; use with `await using`, or dispose in `afterAll`. */
export async function openIsolation(): Promise<IsolationStage> {
  const stack = await startStack({ env: { LOG_LEVEL: 'silent' } })
  const owner = await stack.token(client('the-owner', 'partner'))
  const posted = await post(stack, owner)
  const bodies = posted.map(({ body }) => body)
  const { data } = await createGraph(stack.address)(SEEN, { token: owner })
  const seen = JSON.stringify(data)
  const [ids, references, correlators] = [
    posted.map(({ id }) => id),
    found(bodies, 'referenceCode'),
    found(bodies, 'clientCorrelatorId'),
  ]
  const deliveryIds = found([seen], 'id')
  const transactions = [
    ...ids,
    ...references,
    ...correlators,
    ...deliveryIds,
    SMS,
    `${AMOUNT}`,
    `${POINTS}`,
    'the-owner',
  ]
  const customers = [...transactions, ...(await customerMarkers(stack))]
  const intruders: Intruder[] = [
    {
      name: 'partner-2',
      token: await stack.token(client('partner-2', 'partner')),
      markers: transactions,
      countsNothing: true,
    },
    {
      name: 'bound',
      token: await stack.token(client('bound', 'partner', OWN_NUMBER)),
      markers: customers,
      countsNothing: false,
    },
    {
      name: 'bound-portal',
      token: await stack.token(client('bound-portal', 'portal', OWN_NUMBER)),
      markers: customers,
      countsNothing: false,
    },
  ]
  const subgraphs = new Map<string, LoneSubgraph>()
  for (const { name } of SERVICES) subgraphs.set(name, await serveSubgraph(stack.app, name))
  return {
    stack,
    owner,
    intruders,
    ids,
    deliveryIds,
    cursors: [...new Set(found([seen], 'cursor'))],
    eventCursors: data.events.edges.map(({ cursor }: { cursor: string }) => cursor),
    correlators,
    references,
    subgraph: name => subgraphs.get(name)!,
    async [Symbol.asyncDispose]() {
      for (const one of subgraphs.values()) await one[Symbol.asyncDispose]()
      await stack[Symbol.asyncDispose]()
    },
  }
}
