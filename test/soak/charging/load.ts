/** Partners who post all that is charged, whether or not they are answered. */
import { setTimeout as delay } from 'node:timers/promises'
import { withField, withoutField } from '../../support/fields.ts'
import { FIXTURES } from '../../support/fixtures/all.ts'
import type { Body, ServiceFixture } from '../../support/fixtures/fixture.ts'

export const CHARGED = FIXTURES.filter(({ kind }) => kind !== 'MESSAGE')

/** Owners of the load: orders of one owner follow each other, those of several run side by side. */
export const ACCOUNTS = ['100001', '100002', '100003']
export const NUMBERS = ['96891000001', '96891000002', '96891000003']
export const PREPAID = ['96892000001', '96892000002']

const WORKERS = 4
const PAUSE_MS = 40
const PATIENCE_MS = 15_000

const choose = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!

const forOwner = (fixture: ServiceFixture, body: Body): Body => {
  if (fixture.kind === 'PAYMENT')
    return withField(body, 'paymentTransaction.customerInfo', { customerAccountNumber: choose(ACCOUNTS) })
  return withField(body, fixture.phone, choose(fixture.kind === 'RECHARGE' ? PREPAID : NUMBERS))
}

const next = () => {
  const fixture = choose(CHARGED)
  const value = (1 + Math.floor(Math.random() * 999)) / (fixture.money ? 1_000 : 100)
  return {
    fixture,
    body: forOwner(
      fixture,
      withField(withoutField(fixture.body(), 'webhook'), fixture.money?.amount ?? fixture.points!, value),
    ),
  }
}

export interface Load {
  /** The ids of what was answered with 201. */
  readonly answered: ReadonlySet<string>
  /** Resolves when so many more have been answered. */
  more(count: number): Promise<void>
  stop(): Promise<void>
}

/** Posts to this address until stopped. */
export function startLoad(address: string, token: string): Load {
  const answered = new Set<string>()
  let stopped = false
  const post = async () => {
    const { fixture, body } = next()
    const response = await fetch(address + fixture.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (response.status !== 201)
      throw new Error(`${fixture.path} ${response.status} ${await response.text()}`)
    answered.add(((await response.json()) as Record<string, string>)[fixture.idField]!)
  }
  const work = async () => {
    while (!stopped) {
      await post().catch(() => undefined)
      await delay(PAUSE_MS)
    }
  }
  const workers = Promise.all(Array.from({ length: WORKERS }, work))
  return {
    answered,
    async more(count) {
      const wanted = answered.size + count
      while (answered.size < wanted) await delay(PAUSE_MS)
    },
    async stop() {
      stopped = true
      await workers
    },
  }
}
