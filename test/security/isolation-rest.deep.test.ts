/** Another's ids, correlators, numbers and pages tried on every REST path, and on each service's own port. */
import { afterAll, beforeAll, expect } from 'vitest'
import { auditEach } from './support/audit-each.ts'
import { queryOf } from './support/contract-bodies.ts'
import { sampleOf } from './support/form.ts'
import {
  FOREIGN_ACCOUNT,
  FOREIGN_NUMBER,
  type IsolationStage,
  openIsolation,
} from './support/isolation-stage.ts'
import { tryAll } from './support/leaks.ts'
import { OPERATIONS } from './support/rest-cases.ts'

const INTRUDERS = ['partner-2', 'bound', 'bound-portal'] as const
let stage: IsolationStage
beforeAll(async () => {
  stage = await openIsolation()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const byName = (name: string) => stage.intruders.find(one => one.name === name)!

const VALUES: Record<string, () => readonly string[]> = {
  clientCorrelatorId: () => stage.correlators,
  fromDate: () => ['2000-01-01'],
  toDate: () => ['2100-01-01'],
  page: () => ['0', '1'],
  perPage: () => ['1000'],
  seek: () => ['0', '1'],
  phoneNumber: () => [FOREIGN_NUMBER],
  fixedlineNumber: () => ['96824000003', '24000003'],
  internetAccount: () => ['muna.home@fiber'],
  customerAccountNumber: () => [FOREIGN_ACCOUNT],
}

/** Every path with each of another's ids, and every list and inquiry with each of its parameters. */
const paths = (): string[] =>
  OPERATIONS.filter(({ method }) => method === 'GET').flatMap(operation => {
    const ids = operation.path.includes('{') ? stage.ids : ['']
    return ids.flatMap(id => {
      const path = operation.path.replace(/\{[^}]+\}/, id)
      const queries = queryOf(operation).flatMap(name =>
        (VALUES[name]?.() ?? []).map(value => `${path}?${name}=${encodeURIComponent(value)}`),
      )
      return [path, ...queries]
    })
  })

const sendTo = (address: string) => async (path: string, token: string) => {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } })
  return response.text()
}

auditEach('SECURITY-ISOLATION', INTRUDERS, [
  [
    '10',
    'MUST be who it says it is, so that what it does not see is not hidden by a refused token',
    async name => {
      const answer = await fetch(`${stage.stack.address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${byName(name).token}` },
        body: '{"query":"{ me { id } }"}',
      })
      expect(await answer.json()).toEqual({ data: { me: { id: name } } })
    },
  ],
  [
    '11',
    'MUST show nothing of another on any REST path',
    name => tryAll('REST', byName(name), paths(), sendTo(stage.stack.address)),
  ],
  [
    '12',
    "MUST show nothing of another on REST paths at a service's own port",
    async name => {
      for (const service of new Set(OPERATIONS.map(one => one.service)))
        await tryAll(
          `REST at ${service}`,
          byName(name),
          sampleOf(paths(), 20),
          sendTo(stage.subgraph(service).address),
        )
    },
  ],
])
