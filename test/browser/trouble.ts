/** Trouble for partner support to look into: refused requests, dead deliveries, and a reward to reverse. */
import { newId } from '#core/values/id.ts'
import { restOf } from '../support/both-interfaces.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { Stack } from '../support/stack.ts'
import type { Pages } from './portal.ts'

const fixtureOf = (kind: string) => FIXTURES.find(fixture => fixture.kind === kind)!

/** Posts as a client; returns the status and the id of what was posted. */
const post = async (stack: Stack, client: string, kind: string, body: unknown) => {
  const { path, idField } = fixtureOf(kind)
  const token = await stack.token(client)
  const answer = await restOf(stack)('POST', path, { token, body: body as object })
  return { status: answer.status, id: answer.body[idField] as string }
}

const ATTEMPT = { status: 503, durationMs: 41, error: 'Service Unavailable' }

/** Puts deliveries of a client to an endpoint into the log of events, as given up after eight attempts. */
const die = async (stack: Stack, clientId: string, origin: string, count: number) => {
  const events = await stack.app.db.event.findMany({
    where: { clientId, kind: 'PAYMENT' },
    orderBy: { position: 'desc' },
    take: count,
  })
  for (const event of events) {
    await stack.app.db.delivery.deleteMany({ where: { position: event.position } })
    await stack.app.db.delivery.create({
      data: {
        id: newId(),
        position: event.position,
        eventid: event.eventid,
        kind: event.kind,
        transactionId: event.transactionId,
        clientId,
        url: `${origin}/hooks`,
        origin,
        status: 'DEAD',
        attempts: 8,
        lastStatus: 503,
        lastError: ATTEMPT.error,
        createdAt: event.eventTime,
        attemptLog: [
          {
            at: new Date(Date.now() - 7_200_000).toISOString(),
            status: null,
            durationMs: 10_000,
            error: 'No answer',
          },
          { at: new Date(Date.now() - 3_600_000).toISOString(), ...ATTEMPT },
        ],
      },
    })
  }
}

export interface Trouble {
  /** A reward of `demo-partner` that was carried out. */
  readonly reward: string
  /** Where nothing listens, so that every delivery fails. */
  readonly origin: string
}

/** Makes the trouble, and waits until what was posted is settled. */
export async function makeTrouble(stack: Stack): Promise<Trouble> {
  const origin = 'https://hooks.example'
  const payment = fixtureOf('PAYMENT')
  const wrong = withField(payment.body(), payment.money!.amount, -1)
  for (const client of ['demo-partner', 'demo-partner', 'demo-partner-2'])
    await post(stack, client, 'PAYMENT', wrong)
  const reward = await post(stack, 'demo-partner', 'REWARD', fixtureOf('REWARD').body())
  if (reward.status !== 201) throw new Error(`The reward was refused with ${reward.status}`)
  for (let left = 3; left > 0; left--) await post(stack, 'demo-partner', 'PAYMENT', payment.body())
  await stack.settled()
  await die(stack, 'demo-partner', origin, 3)
  return { reward: reward.id, origin }
}

/** A payment that waits to be settled; disposing of it lets it be. */
export interface Unsettled extends AsyncDisposable {
  readonly id: string
  /** Has it settled, and all that waits with it. */
  settle(): Promise<void>
}

/** Posts a payment while the service that would settle it rests. */
export async function postUnsettled({ stack, post: postAs }: Pages): Promise<Unsettled> {
  const service = stack.server.services.find(({ name }) => name === 'postpaid-billing')!
  await service.stop()
  let isStopped = true
  const settle = async () => {
    if (isStopped) await service.start()
    isStopped = false
    await stack.settled()
  }
  try {
    return { id: await postAs(), settle, [Symbol.asyncDispose]: settle }
  } catch (error) {
    await settle()
    throw error
  }
}
