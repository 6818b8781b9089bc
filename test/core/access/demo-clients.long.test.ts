/** The demo clients' secrets are public, so a server that others reach has none, or says so. */
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#core/config/config.ts'
import { openDatabase } from '#core/data/db.ts'
import { openDemoClients, seedDemo } from '#prisma/demo/seed.ts'
import { config, openAccess } from './support.ts'

test.each(['0.0.0.0', '::', '10.1.2.3', 'db.example'])('DEMO-01 DEMO=1 on %s does not start', HOST => {
  expect(() => readConfig({ HOST, DEMO: '1' })).toThrow(ConfigError)
  expect(() => readConfig({ HOST, DEMO: '1' })).toThrow(/DEMO must be 0 when HOST is not loopback/)
})

test('DEMO-02 by default there is a demo on an embedded database that only this machine reaches', () => {
  for (const HOST of ['127.0.0.1', '127.0.0.9', 'localhost', '::1', ''])
    expect(readConfig({ HOST }).demo, HOST).toBe(true)
  expect(readConfig({ HOST: '0.0.0.0' }).demo).toBe(false)
  const postgres = { DATABASE_URL: 'postgresql://a/b', SECRETS_KEY: 'A'.repeat(43) }
  expect(readConfig(postgres).demo).toBe(false)
})

test('DEMO-03 demo clients of before are found until they are rotated or disabled', async () => {
  const database = await openDatabase(config)
  try {
    expect(await openDemoClients(database.db)).toEqual([])
    await seedDemo(database, config)
    const all = ['demo-analyst', 'demo-partner', 'demo-partner-2', 'demo-portal']
    expect((await openDemoClients(database.db)).toSorted()).toEqual(all)
    const { access, close } = await openAccess({ db: database.db })
    await access.clients.rotate('demo-partner')
    await access.clients.disable('demo-portal')
    expect((await openDemoClients(database.db)).toSorted()).toEqual(['demo-analyst', 'demo-partner-2'])
    await close()
  } finally {
    await database.close()
  }
})
