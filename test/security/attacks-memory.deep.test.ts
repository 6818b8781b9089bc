/** Much that is kept: a process of 768 MiB must survive many large operations, many large records, and a list of them. */
import { expect } from 'vitest'
import { audit } from '../support/audit.ts'
import { withField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import type { ServiceFixture } from '../support/fixtures/fixture.ts'
import { ask } from './support/attack.ts'
import { note } from './support/figures.ts'
import { casesOf, FORM } from './support/form.ts'
import { type ProbedServer, startProbed } from './support/probed-server.ts'

const LARGE = 900_000
const FLAGS = ['--max-old-space-size=768']

/** Limit of all caches and queues of the program together; the rest is the database's. */
const MAX_HEAP_MIB = 512

const isTaken = (status: number) => status < 500 || status === 503

/** Does something to a server of its own, which must be alive and small afterwards. */
const survive = async (what: string, cases: number, run: (server: ProbedServer) => Promise<void>) => {
  await using server = await startProbed({}, FLAGS)
  const before = await server.probe()
  await run(server).catch(() => undefined)
  const after = server.hasEnded() ? undefined : await server.probe()
  const heapMiB = [before.heapMiB, after?.heapMiB ?? 0] as const
  note({ part: 'attack', what, cases, faults: after && after.heapMiB <= MAX_HEAP_MIB ? 0 : 1, heapMiB })
  expect(after, `${what}: the process has ended`).toBeDefined()
  expect(after!.heapMiB, what).toBeLessThanOrEqual(MAX_HEAP_MIB)
  expect((await ask(server.address, { method: 'GET', path: '/health/live' })).status).toBe(200)
}

const manyOperations = (count: number) => async (server: ProbedServer) => {
  const token = await server.token()
  for (let index = 0; index < count; index++) {
    const query = `{ __typename a${index}: __typename } # ${'x'.repeat(LARGE)}`
    expect(isTaken((await ask(server.address, { token, raw: JSON.stringify({ query }) })).status)).toBe(true)
  }
}

const REFERENCE: Record<string, string> = {
  'postpaid-billing': 'paymentTransaction.paymentInfo.paymentInformation.description',
  prepaid: 'rechargeTransaction.referenceCode',
  messaging: 'smsText',
  loyalty: 'rewardTransaction.referenceCode',
  redemption: 'redemptionTransaction.referenceCode',
}

const largeRecords = (fixture: ServiceFixture, count: number) => async (server: ProbedServer) => {
  const token = await server.token()
  for (let index = 0; index < count; index++) {
    const body = withField(fixture.body(), REFERENCE[fixture.name]!, 'x'.repeat(LARGE))
    await ask(server.address, { path: fixture.path, token, raw: JSON.stringify(body) })
  }
  const portal = await server.token('demo-portal')
  const list = await ask(server.address, {
    method: 'GET',
    path: `${fixture.path}?perPage=1000`,
    token: portal,
  })
  expect(isTaken(list.status)).toBe(true)
}

const largest = casesOf(600)

/** Minutes each, so none of them is among the bounded. */
const RULES =
  FORM === 'bounded'
    ? []
    : [
        [
          '01',
          'MUST keep operations within a bound of bytes',
          () => survive('different operations of 0.9 MB', largest, manyOperations(largest)),
        ] as const,
        ...FIXTURES.map(
          (fixture, index) =>
            [
              `1${index}`,
              `MUST keep texts and pages within a bound of bytes: ${fixture.name}`,
              () => survive(`records of 0.9 MB, ${fixture.name}`, largest, largeRecords(fixture, largest)),
            ] as const,
        ),
      ]

audit('SECURITY-MEMORY', [
  ...RULES,
  [
    '20',
    "MUST refuse a reference of 0.9 MB, so that nobody's timeline stands still for it",
    async () => {
      await using server = await startProbed()
      const token = await server.token()
      const statuses: number[] = []
      for (const fixture of FIXTURES) {
        const body = withField(fixture.body(), REFERENCE[fixture.name]!, 'x'.repeat(LARGE))
        const { status } = await ask(server.address, { path: fixture.path, token, raw: JSON.stringify(body) })
        statuses.push(status)
      }
      note({
        part: 'attack',
        what: 'references of 0.9 MB',
        cases: statuses.length,
        faults: statuses.filter(one => one !== 400).length,
      })
      expect(statuses).toEqual(FIXTURES.map(() => 400))
    },
  ],
])
