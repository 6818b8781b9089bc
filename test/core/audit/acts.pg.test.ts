/** The log of acts: what is written with what, and that nothing changes it (docs/operating.md, "Who did what"). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClients } from '#core/access/clients.ts'
import { type Actor, listActs, recordAct } from '#core/audit/acts.ts'
import { importDirectory } from '#core/directory/import.ts'
import { parseJson } from '#core/directory/read-file.ts'
import { graphOf } from '../../support/both-interfaces.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const BY: Actor = { id: 'cli:someone' }

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const actsOn = async (target: string) => {
  const { nodes } = await listActs(stack.app.db, { filter: { target } })
  return nodes.map(({ actor, action, details }) => ({ actor, action, details: JSON.parse(details) }))
}

const clientsBy = (by: Actor) => createClients(stack.app.db, { countryCode: '968', by })

it('ACTS-01 MUST refuse to change, remove and truncate what was written', async () => {
  const { db } = stack.app
  await recordAct(db, { actor: BY, action: 'CLIENT_CHANGED', target: 'kept' })
  await expect(db.$executeRaw`UPDATE audit.act SET actor = 'other'`).rejects.toThrow(/only added/)
  await expect(db.$executeRaw`DELETE FROM audit.act`).rejects.toThrow(/only added/)
  await expect(db.$executeRaw`TRUNCATE audit.act`).rejects.toThrow(/only added/)
  expect(await actsOn('kept')).toHaveLength(1)
})

it('ACTS-02 MUST record the administration of a client, without its secrets and its number', async () => {
  const clients = clientsBy(BY)
  const { secret } = await clients.add({ id: 'recorded', role: 'partner', phoneNumber: '91000001' })
  await clients.update('recorded', { maxAmount: '10', phoneNumber: null })
  await clients.setQuotas('recorded', { openStreams: '7' })
  await clients.setQuotas('recorded', {})
  const { secret: second } = await clients.rotate('recorded', 60_000)
  await clients.disable('recorded')
  await clients.enable('recorded')
  const acts = await actsOn('recorded')
  expect(acts.map(({ action }) => action)).toEqual([
    'CLIENT_ENABLED',
    'CLIENT_DISABLED',
    'SECRET_ROTATED',
    'CLIENT_CHANGED',
    'CLIENT_CHANGED',
    'CLIENT_ADDED',
  ])
  expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set(['cli:someone']))
  expect(acts[3]!.details).toEqual({ quotas: { openStreams: 7 } })
  expect(acts[4]!.details).toEqual({ maxAmount: '10', phoneNumber: null })
  expect(acts[5]!.details).toMatchObject({ role: 'partner', phoneNumber: 'set' })
  const texts = JSON.stringify(acts)
  for (const hidden of [secret, second, '91000001']) expect(texts).not.toContain(hidden)
})

it('ACTS-03 MUST leave no act of what was not done', async () => {
  const clients = clientsBy(BY)
  await expect(clients.disable('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(clients.rotate('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await actsOn('nobody')).toEqual([])
})

it('ACTS-04 MUST record an import with its file and its counts', async () => {
  const { db } = stack.app
  const rows = parseJson(JSON.stringify({ accounts: [{ customerAccountNumber: '777001' }] }))
  await importDirectory(db, rows, { countryCode: '968', by: BY }, 'accounts.csv')
  expect(await actsOn('accounts.csv')).toMatchObject([
    { actor: 'cli:someone', action: 'DIRECTORY_IMPORTED', details: { setBalances: false } },
  ])
})

it('ACTS-05 MUST record what a portal does, with its correlator, in pages from the newest on', async () => {
  const portal = await stack.token('demo-portal')
  const rotate = 'mutation { rotateWebhookSecret(partner: "demo-partner") { secret } }'
  const redeliver = 'mutation { redeliverWebhooks(filter: { partner: "demo-partner" }) }'
  const ask = graphOf(stack)
  await ask(rotate, { token: portal, headers: { 'x-correlator': 'desk-7' } })
  await ask(redeliver, { token: portal })
  const query = `query Acts($after: String) {
    auditLog(filter: { actor: "demo-portal" }, first: 1, after: $after) {
      totalCount
      nodes { at actor action target details correlator }
      pageInfo { endCursor hasNextPage }
    }
  }`
  const first = await ask(query, { token: portal })
  expect(first.errors).toEqual([])
  expect(first.data.auditLog).toMatchObject({ totalCount: 2, nodes: [{ action: 'WEBHOOKS_REDELIVERED' }] })
  const after = first.data.auditLog.pageInfo.endCursor
  const second = await ask(query, { token: portal, variables: { after } })
  expect(second.data.auditLog.nodes).toMatchObject([
    { actor: 'demo-portal', action: 'WEBHOOK_SECRET_ROTATED', target: 'demo-partner', correlator: 'desk-7' },
  ])
  expect(second.data.auditLog.pageInfo.hasNextPage).toBe(false)
})
