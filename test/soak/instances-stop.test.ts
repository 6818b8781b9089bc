/** Instances that are stopped and started again one after the other: nobody who posts notices. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { hasBalancer, startBalancer } from '../support/balancer.ts'
import { postpaidBilling } from '../support/fixtures/postpaid-billing.ts'
import { SECRETS_KEY } from '../support/postgres.ts'
import { openTestApp } from '../support/stack.ts'
import { Member } from './instances/member.ts'

const WORKERS = 8
const ROUNDS = 4
/** HAProxy looks every second whether a process that was away is back. */
const NOTICED_MS = 1_500

describe.skipIf(process.env['TEST_DATABASE'] !== 'postgres' || !hasBalancer())('stopping under load', () => {
  it('MANY-STOP-01 every post is answered with 201 at once, and none is lost', {
    timeout: 120_000,
  }, async () => {
    await using stage = await openTestApp({ env: { DATABASE_POOL_SIZE: '3' } })
    const { db, config } = stage.app
    const token = await stage.token({ id: 'many-stop', role: 'partner', dummyCards: true })
    const folder = await mkdtemp(join(tmpdir(), 'partner-graph-stop-'))
    await using cleaning = new AsyncDisposableStack()
    cleaning.defer(() => rm(folder, { recursive: true, force: true }))
    const start = async (name: string, args: [string, ...string[]], own: Record<string, string> = {}) => {
      const env = {
        DATABASE_URL: config.databaseUrl!,
        SECRETS_KEY,
        LOG_LEVEL: 'warn',
        DATABASE_POOL_SIZE: '3',
        ...own,
      }
      const subscriber = await Member.create({ name, args, env, logFile: join(folder, `${name}.log`) })
      cleaning.defer(() => subscriber.kill())
      await subscriber.start()
      return subscriber
    }
    const service = ['subgraphs/main.ts', postpaidBilling.name] as [string, string]
    const instances = [await start('one', service), await start('two', service)]
    // A gateway is ready once every subgraph lives; the others get no requests.
    const processes = instances.map(({ address }) => address)
    const balancer = cleaning.use(await startBalancer(new Map(SERVICES.map(({ name }) => [name, processes]))))
    const SUBGRAPH_URLS = balancer.subgraphUrls
    const gateway = await start('gateway', ['topology/gateway-only.ts'], { SUBGRAPH_URLS })

    const failures: string[] = []
    let answered = 0
    let stopped = false
    const post = async () => {
      const response = await fetch(gateway.address + postpaidBilling.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...postpaidBilling.body(), webhook: undefined }),
      })
      const text = await response.text()
      answered++
      if (response.status !== 201) failures.push(`${response.status} ${text}`)
    }
    const workers = Array.from({ length: WORKERS }, async () => {
      while (!stopped) await post()
    })
    for (let round = 0; round < ROUNDS; round++) {
      const instance = instances[round % instances.length]!
      await delay(NOTICED_MS)
      await instance.stop()
      await instance.start()
    }
    stopped = true
    await Promise.all(workers)
    expect({ failed: failures.length, such: failures.slice(0, 5) }).toEqual({ failed: 0, such: [] })
    expect(await db.payment.count({ where: { clientId: 'many-stop' } })).toBe(answered)
  })
})
