/** Clients of every kind that send the same to a gateway over separate services at once: each must get what it gets alone. */
import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLSchema, getOperationAST, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewClient } from '#core/access/client-input.ts'
import { projectPath } from '#core/config/project-files.ts'
import { payment } from '#test/core/webhooks/support.ts'
import { changesByAsking, repositoryOperations } from '#test/support/repository-operations.ts'
import { createRest } from '../../support/rest.ts'
import { createSeparate } from '../../support/separate.ts'
import { openTestApp } from '../../support/stack.ts'
import { bearer, connect } from '../../support/subscribe.ts'

/** An operation with its variables. */
interface Operation {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Readonly<Record<string, unknown>>
}

/** Clients that could be taken for one another: by id, by role, by bound number. */
const CLIENTS: readonly NewClient[] = [
  { id: 'demo-partner', role: 'partner' },
  { id: 'demo-partner-2', role: 'partner' },
  { id: 'bound-partner', role: 'partner', phoneNumber: '96891000002' },
  { id: 'demo-portal', role: 'portal' },
  { id: 'other-portal', role: 'portal' },
  { id: 'bound-portal', role: 'portal', phoneNumber: '96891000002' },
  { id: 'bound-portal-2', role: 'portal', phoneNumber: '96891000001' },
  { id: 'demo-analyst', role: 'analyst' },
]

interface Audiences extends AsyncDisposable {
  readonly address: string
  /** By client id. */
  readonly tokens: ReadonlyMap<string, string>
  /** As clients see it. */
  schema(): Promise<GraphQLSchema>
  /** The text of a client's answer. */
  ask(client: string, operation: Operation): Promise<string>
  /** Asks as each client alone, then as all at once, so often, and expects the same. Resolves with the answers. */
  expectSame(operation: Operation, times?: number): Promise<Map<string, string>>
}

/** Starts gateway and services, with a payment of each partner. */
async function openAudiences(env: Record<string, string> = {}): Promise<Audiences> {
  await using opening = new AsyncDisposableStack()
  const opened = opening.use(await openTestApp({ env }))
  const { server } = await createSeparate(opened)
  opening.defer(() => server.stop())
  const address = await server.http.listen({ port: 0, host: '127.0.0.1' })
  const tokens = new Map<string, string>()
  for (const client of CLIENTS)
    tokens.set(client.id, await opened.token(client.id.startsWith('demo-') ? client.id : client))
  for (const [id, number] of [
    ['demo-partner', '100001'],
    ['demo-partner-2', '100002'],
  ] as const) {
    const options = { token: tokens.get(id), body: payment(number) }
    await createRest(address)('POST', '/postpaid-billing/v1/payments', options)
  }
  for (let round = 0; round < 2; round++) await Promise.all(server.services.map(one => one.settled()))
  const ask: Audiences['ask'] = async (client, operation) => {
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens.get(client)}` },
      body: JSON.stringify(operation),
    })
    return response.text()
  }
  const all = opening.move()
  return {
    address,
    tokens,
    ask,
    async schema() {
      const headers = { authorization: `Bearer ${tokens.get('demo-portal')}` }
      return buildSchema(await (await fetch(`${address}/schema.graphql`, { headers })).text())
    },
    async expectSame(operation, times = 2) {
      const alone = new Map<string, string>()
      for (const client of tokens.keys()) alone.set(client, await ask(client, operation))
      for (let time = 0; time < times; time++) {
        const answers = [...tokens.keys()].map(
          async client => [client, await ask(client, operation)] as const,
        )
        expect(new Map(await Promise.all(answers)), operation.query).toEqual(alone)
      }
      return alone
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const readExamples = (): Operation[] => {
  const variablesOf = JSON.parse(readFileSync(projectPath('portal/src/pages/graphql/examples.json'), 'utf8'))
  return Object.entries<Operation['variables']>(variablesOf).map(([name, variables = {}]) => ({
    query: readFileSync(projectPath(`schema/operations/${name}.graphql`), 'utf8'),
    variables,
  }))
}

const EXAMPLES = readExamples().filter(({ query }) => !/^(mutation|subscription)/m.test(query))

/** Every query that the repository writes down, in its pages and tests, and that is answered the same twice. */
export const writtenDown = (schema: GraphQLSchema): Operation[] =>
  repositoryOperations(schema)
    .filter(({ document }) => !/^(mutation|subscription)/m.test(print(document)))
    .filter(({ document, operationName }) => !changesByAsking(getOperationAST(document, operationName)!))
    .map(({ text, operationName, variables }) => ({ query: text, operationName, variables }))

const withName = (name: string) => [
  {
    query: `query ($${name}: Int) { me { id name role } timeline(first: $${name}) { totalCount nodes { kind transaction { id ... on Payment { customer { customerAccountNumber totalDues } } } } } }`,
    variables: Object.fromEntries([[name, 2]]),
  },
  {
    query: `query ($${name}: Int) { me { id } subscriber(mobileNumber: "+96891000002") { mobileNumber payments(first: $${name}) { totalCount nodes { paymentId } } rewards(first: $${name}) { totalCount } } }`,
    variables: Object.fromEntries([[name, 2]]),
  },
  {
    query: `query ($${name}: [TransactionKind!]) { me { id } timeline(filter: { kinds: $${name} }, first: 3) { totalCount nodes { transaction { id } } } }`,
    variables: Object.fromEntries([[name, ['PAYMENT', 'PAYMENT', 'REWARD']]]),
  },
  {
    query: `query ($${name}: Boolean = true) { me { id name @include(if: $${name}) role @skip(if: $${name}) } }`,
    variables: {},
  },
]

const subscriptionsWith = (name: string, cursor: string) => [
  {
    query: `subscription ($${name}: String) { paymentEvents(after: $${name}) { cursor payment { id customer { customerName } } } }`,
    variables: Object.fromEntries([[name, cursor]]),
  },
  {
    query: `subscription ($${name}: Int) { paymentEvents(after: "${cursor}") { cursor payment { id subscriber { mobileNumber rewards(first: $${name}) { totalCount } } customer { payments(first: $${name}) { totalCount nodes { id } } } } } }`,
    variables: Object.fromEntries([[name, 1]]),
  },
]

/** The operations, beside variables of these names. */
interface Audited {
  readonly way: string
  readonly env?: Record<string, string>
  readonly names: readonly string[]
  /** The examples of the project unless given. */
  operations?(schema: GraphQLSchema): readonly Operation[]
}

/** Asks by each way of the graph. */
export const auditAudiences = ({ way, env, names, operations = () => EXAMPLES }: Audited) =>
  describe(`several clients at once, ${way}`, () => {
    let audiences: Audiences
    beforeAll(async () => {
      audiences = await openAudiences(env)
    })
    afterAll(() => audiences?.[Symbol.asyncDispose]())

    it('AUDIENCE-01 MUST each get what it gets alone, by the operations of the project', async () => {
      const all = operations(await audiences.schema())
      expect(all.length).toBeGreaterThan(2)
      for (const operation of all) await audiences.expectSame(operation, 1)
    }, 600_000)

    it.each(names)(
      'AUDIENCE-02 MUST each get what it gets alone, by a variable of the name %s',
      async name => {
        for (const operation of withName(name)) {
          const answers = await audiences.expectSame(operation, 1)
          for (const [client, answer] of answers) {
            expect(answer).toContain(`"me":{"id":"${client}"`)
            expect(answer).not.toContain('SERVER_ERROR')
          }
        }
      },
    )

    it.each(names)('AUDIENCE-03 MUST see its own name of a variable at fault: %s', async name => {
      const { query } = withName(name)[1]!
      const answer = await audiences.ask('demo-portal', {
        query,
        variables: Object.fromEntries([[name, 'x']]),
      })
      const [error] = JSON.parse(answer).errors
      expect(error.message).toContain(`Variable "$${name}" `)
      expect(error.extensions).toMatchObject({ code: 'INVALID_ARGUMENT', field: name })
    })

    it.each(names)(
      'AUDIENCE-04 MUST each get the own events of a subscription with a variable of the name %s',
      async name => {
        const first = '{ events(first: 1, orderBy: OLDEST_FIRST) { edges { cursor } } }'
        const { data } = JSON.parse(await audiences.ask('demo-portal', { query: first }))
        const { cursor } = data.events.edges[0]
        const clients = ['demo-portal', 'other-portal', 'demo-analyst']
        for (const { query, variables } of subscriptionsWith(name, cursor)) {
          const listen = async (client: string) => {
            using socket = connect(audiences.address, bearer(audiences.tokens.get(client)!))
            using events = socket.subscribe(query, variables)
            return await events.take(1)
          }
          const alone = await listen('demo-portal')
          expect(alone).toEqual([{ data: { paymentEvents: expect.anything() } }])
          expect(await Promise.all(clients.map(listen))).toEqual([alone, alone, alone])
        }
      },
    )
  })
