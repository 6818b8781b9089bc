/** Ports that an entry of `WEBHOOK_ALLOW` without one leaves closed: the installation's own, and its systems'. */
import { expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { checkWebhookAddress } from '#core/egress/callback-policy.ts'
import { createGuardedAgent } from '#core/egress/guarded-agent.ts'
import { SERVICES } from '#subgraphs/names.ts'

const SETTINGS = {
  DATABASE_URL: 'postgresql://user@db.internal:6000/partners',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  PORT: '4100',
  SUBGRAPH_URLS: 'loyalty=http://10.0.0.7:5002/graphql,prepaid=http://prepaid.internal:5003/graphql',
  AUTH_ISSUER: 'https://login.example',
  AUTH_AUDIENCE: 'graph',
  AUTH_JWKS_URL: 'http://keys.internal:7070/jwks.json',
  CHARGING: 'http',
  CHARGING_URL: 'https://charging.internal:8443/base',
  CHARGING_PREPAID_URL: 'http://127.0.0.1:9100',
  CHARGING_TOKEN: 'charging-token',
  SMS: 'smpp',
  SMPP_URL: 'smpp://id:secret@10.0.0.9:2775,smpps://id:secret@smsc.internal',
  SUPERGRAPH: 'http://registry.internal:9900/supergraph',
}

const allowOf = (entries: string) => readConfig({ ...SETTINGS, WEBHOOK_ALLOW: entries }).webhookAllow

const WHOLE =
  '127.0.0.0/8,::1,localhost,10.0.0.0/8,charging.internal,prepaid.internal,keys.internal,registry.internal'

const isTaken = (address: string, entries: string): boolean => {
  try {
    checkWebhookAddress('webhook.notificationUrl', address, allowOf(entries))
    return true
  } catch {
    return false
  }
}

const OWN = [
  ...[4000, 4100, ...SERVICES.map(({ port }) => port)].flatMap(port => [
    `http://127.0.0.1:${port}`,
    `http://127.8.8.8:${port}`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
  ]),
  ...['http://10.0.0.7:5002', 'http://prepaid.internal:5003', 'http://10.1.1.1:5003', 'http://10.0.0.3:6000'],
  ...['https://charging.internal:8443', 'https://10.2.2.2:8443', 'http://localhost:9100'],
  ...[
    'http://10.0.0.9:2775',
    'http://10.3.3.3:3550',
    'http://keys.internal:7070',
    'http://registry.internal:9900',
  ],
]

it.each(OWN)('HOOK-180 an entry without a port does not open %s, one with its port does', address => {
  expect(isTaken(`${address}/hook`, WHOLE)).toBe(false)
  const { hostname, port } = new URL(address)
  expect(isTaken(`${address}/hook`, `${hostname}:${port}`)).toBe(true)
})

it.each(['http://127.0.0.1:9000', 'http://10.0.0.7:5009', 'http://10.0.0.8:5002', 'https://10.9.9.9'])(
  'HOOK-181 it opens %s, where nothing of the installation listens',
  address => expect(isTaken(`${address}/hook`, WHOLE)).toBe(true),
)

it('HOOK-182 no name that is opened without a port leads to them when it is connected to', async () => {
  const toLoopback = (_: string, __: object, done: (error: null, all: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])
  const agent = createGuardedAgent({ allow: allowOf('hooks.test') }, toLoopback as never)
  const refused = agent.request({ origin: 'http://hooks.test:4001', path: '/', method: 'POST' })
  await expect(refused).rejects.toMatchObject({ code: 'REFUSED_ADDRESS' })
  await agent.destroy()
})
