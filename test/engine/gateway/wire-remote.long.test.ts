/** Over the wire, invalid responses of subgraphs in other processes: reported byte for byte as without compiled operations. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { json, startInstance, type TestInstance } from '#test/support/http-instance.ts'
import { createGateway, HAS_TOPOLOGY } from '#test/support/separate.ts'
import { startTwoServers, type TwoServers } from './support/two-servers.ts'
import { TIMEOUT } from './support/wire.ts'

const QUERY = `query Remote {
  timeline(first: 2) { totalCount nodes { kind transaction { id ... on Payment { customer { customerName } } } } }
}`

/** Address of the subgraph that is called first. */
const ANSWERS: [what: string, answer: unknown][] = [
  ['what is in order', { data: { timeline: { totalCount: 0, nodes: [] } } }],
  ['an object for a list', { data: { timeline: { totalCount: 0, nodes: { kind: 'PAYMENT' } } } }],
  ['a list for an object', { data: { timeline: [{ nodes: [] }] } }],
  ['a text for an object', { data: { timeline: 'none' } }],
  ['null where none may be', { data: { timeline: { totalCount: null, nodes: [] } } }],
  ['missing keys', { data: { timeline: { totalCount: 1, nodes: [{}] } } }],
  [
    'another type',
    { data: { timeline: { totalCount: 1, nodes: [{ transaction: { __typename: 'Nonsense' } }] } } },
  ],
  ['no data', { data: null }],
  ['neither data nor errors', {}],
  ['errors without data', { errors: [{ message: 'no', extensions: { code: 'NOT_FOUND' } }] }],
  ['errors beside data', { data: { timeline: null }, errors: [{ message: 'no', path: ['timeline'] }] }],
  ['errors that are no list', { data: { timeline: null }, errors: 'none' }],
]

describe.skipIf(!HAS_TOPOLOGY)('answers of subgraphs in other processes', { timeout: TIMEOUT }, () => {
  let instance: TestInstance
  let servers: TwoServers
  let token: string
  beforeAll(async () => {
    instance = await startInstance()
    const subgraphUrls = new Map(SERVICES.map(({ name }) => [name, `${instance.origin}/graphql`]))
    servers = await startTwoServers({}, app =>
      createGateway({ ...app, config: { ...app.config, subgraphUrls } }),
    )
    token = await servers.opened.token('demo-portal')
  }, TIMEOUT)
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]()
    await instance?.[Symbol.asyncDispose]()
  })

  it.each(ANSWERS)('COMPILED-WIRE-41 MUST be reported the same: %s', async (_, answer) => {
    instance.answer = json(ANSWERS[0]![1])
    const request = { body: { query: QUERY }, token }
    for (let time = 0; time < 2; time++) await servers.compiled(request)
    instance.answer = json(answer)
    const expected = await servers.byApollo(request)
    expect(await servers.compiled(request)).toEqual(expected)
    expect(await servers.compiled(request)).toEqual(expected)
  })
})
