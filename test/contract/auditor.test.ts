/** The role `auditor`: it reads who did what and who looked at whom, and nothing that those are about. */
import { type GraphQLField, getNamedType, isLeafType, isRequiredArgument } from 'graphql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { introspect } from '../support/entity-paths.ts'
import { READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'

const NUMBER = '+96891000008'
const ACCOUNT = '100008'

let stack: Stack
let auditor: string

beforeAll(async () => {
  stack = await startStack()
  auditor = await stack.token({ id: 'auditor', role: 'auditor' })
})
afterAll(() => stack[Symbol.asyncDispose]())

/** A value that each required argument takes, of whichever type. */
const VALUES: Readonly<Record<string, string>> = {
  ID: '"00000000-0000-7000-8000-000000000000"',
  String: '"Muna"',
  PhoneNumber: `"${NUMBER}"`,
}

/** The least that can be asked of a root field. */
const leastOf = ({ name, args, type }: GraphQLField<unknown, unknown>) => {
  const given = args.filter(isRequiredArgument).map(one => {
    const value = VALUES[getNamedType(one.type).name]
    if (value === undefined)
      throw new Error(`${name} takes ${one.name}: ${one.type}, for which there is no value here`)
    return `${one.name}: ${value}`
  })
  return `${name}${given.length > 0 ? `(${given.join(', ')})` : ''}${isLeafType(getNamedType(type)) ? '' : ' { __typename }'}`
}

const ask = (query: string, token = auditor) => graphOf(stack)(query, { token })

it('AUDITOR-01 MUST know who it is, and read the log of acts', async () => {
  const { data, errors } = await ask('{ me { id role } auditLog { totalCount nodes { action } } }')
  expect(errors).toEqual([])
  expect(data.me).toEqual({ id: 'auditor', role: 'auditor' })
})

it('AUDITOR-02 MUST refuse it every other root field of the graph', async () => {
  const schema = await introspect(graphOf(stack), await stack.token('demo-portal'))
  const own = new Set(['me', 'auditLog', 'accessRecords'])
  const fields = Object.values(schema.getQueryType()!.getFields()).filter(({ name }) => !own.has(name))
  expect(fields.length).toBeGreaterThan(15)
  for (const field of fields) {
    const { data, errors } = await ask(`{ ${leastOf(field)} }`)
    expect(data?.[field.name] ?? null, field.name).toBeNull()
    expect(
      errors.map(({ extensions }) => extensions.code),
      field.name,
    ).toEqual(['PERMISSION_DENIED'])
  }
})

it('AUDITOR-03 MUST refuse it mutations, REST and exports', async () => {
  const mutation = await ask(
    'mutation { cancelTransaction(id: "00000000-0000-7000-8000-000000000000", reason: "x") { id } }',
  )
  expect(mutation.errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
  for (const { path } of READABLE)
    expect(await restOf(stack)('GET', path, { token: auditor })).toMatchObject({ status: 403 })
  const inquiry = `/postpaid-billing/v1/customers?customerAccountNumber=${ACCOUNT}`
  expect(await restOf(stack)('GET', inquiry, { token: auditor })).toMatchObject({ status: 403 })
  const exported = await fetch(`${stack.address}/exports/timeline.csv`, {
    headers: { authorization: `Bearer ${auditor}` },
  })
  expect(exported.status).toBe(403)
})

it('AUDITOR-05 MUST refuse the access records to everybody else', async () => {
  const clients = ['demo-partner', 'demo-portal', 'demo-analyst']
  const record = (await stack.app.access.clients.find('auditor'))!
  const bound = await stack.app.access.issuer!.issue({ ...record, phoneNumber: NUMBER.slice(1) })
  for (const token of [...(await Promise.all(clients.map(id => stack.token(id)))), bound]) {
    const { data, errors } = await ask('{ accessRecords { totalCount } }', token)
    expect(data).toEqual({ accessRecords: null })
    expect(errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
  }
})

it('AUDITOR-04 MUST refuse the log of acts to partners, analysts and bound portals', async () => {
  const record = (await stack.app.access.clients.find('demo-portal'))!
  const bound = await stack.app.access.issuer!.issue({ ...record, phoneNumber: NUMBER.slice(1) })
  for (const token of [await stack.token('demo-partner'), await stack.token('demo-analyst'), bound]) {
    const { data, errors } = await ask('{ auditLog { totalCount } }', token)
    expect(data).toEqual({ auditLog: null })
    expect(errors[0]!.extensions.code).toBe('PERMISSION_DENIED')
  }
})

it('AUDITOR-06 MUST find refused secrets and tokens there, with the client that a secret was tried for', async () => {
  const wrong = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-partner',
    client_secret: 'wrong-secret',
  })
  await fetch(`${stack.address}/oauth2/accesstoken`, { method: 'POST', body: wrong })
  await graphOf(stack)('{ me { id } }', { token: 'not-a-token' })
  await stack.app.refusals.flush()
  const { data } = await ask(
    '{ auditLog(filter: { action: SIGN_IN_REFUSED }) { nodes { actor target details } } }',
  )
  expect(data.auditLog.nodes.map(({ target }: { target: string }) => target).toSorted()).toEqual([
    'demo-partner',
    null,
  ])
  expect(JSON.stringify(data)).not.toContain('wrong-secret')
})
