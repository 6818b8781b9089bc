/** Explanations and costs of operations: who gets them, that they are true, and that data are the same with and without. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'
import { SEPARATE, type Stack, startStack } from '#test/support/stack.ts'

const CUSTOMER_360 = readFileSync(
  join(import.meta.dirname, '../../../schema/operations/customer-360.graphql'),
  'utf8',
)

interface Statement {
  readonly text: string
  readonly rows: number
  readonly ms: number
  readonly requests: number
}

interface Explained {
  readonly execution: string
  readonly cost: number
  readonly caches: { readonly document: boolean; readonly plan: boolean }
  readonly ms: number
  readonly planMs: number | null
  readonly databaseMs: number
  readonly subgraphMs: number
  readonly plan: { readonly kind: string }
  readonly fetches: readonly {
    readonly subgraph: string
    readonly path: readonly string[]
    readonly operation: string
    readonly entities?: number
    readonly ms: number
    readonly errors: number
    readonly statements: readonly Statement[]
  }[]
}

interface Answer {
  readonly text: string
  readonly cost: string | null
  /** Text of the member `data`. */
  readonly data: string
  readonly explained: Explained | undefined
}

const DATA = /"data":(.*?)(?:,"extensions":|\}\s*$)/s

const VARIABLES = { n: '+96891000001' }

/** Whether operations can be compiled here: without the folder Apollo's executor runs all of them. */
const COMPILES = existsSync(projectPath('engine'))

describe.each([
  ['compiled', '1'],
  ["Apollo's own", '0'],
])('explanations, executed by the %s way', (_, compiled) => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack({ env: { COMPILED: compiled } })
    await stack.settled()
  })
  afterAll(() => stack[Symbol.asyncDispose]())

  const ask = async (
    query: string,
    {
      client = 'demo-analyst',
      variables = {},
      headers = {},
    }: {
      client?: string
      variables?: object
      headers?: Record<string, string>
    } = {},
  ): Promise<Answer> => {
    const token = await stack.token(client)
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    })
    const text = await response.text()
    const explained = (JSON.parse(text) as { extensions?: { explain?: Explained } }).extensions?.explain
    return { text, cost: response.headers.get('x-operation-cost'), data: DATA.exec(text)![1]!, explained }
  }
  const EXPLAIN = { 'x-explain': '1' }

  it('EXPLAIN-01 MUST show plan, fetches and statements with rows and time, the first time and when all is known', async () => {
    const first = (await ask(CUSTOMER_360, { variables: VARIABLES, headers: EXPLAIN })).explained!
    const again = (await ask(CUSTOMER_360, { variables: VARIABLES, headers: EXPLAIN })).explained!
    expect(first.caches).toEqual({ document: false, plan: false })
    expect(first.planMs).toBeGreaterThan(0)
    expect(again.caches).toEqual({ document: true, plan: true })
    expect(again.planMs).toBeNull()
    expect(again.execution).toBe(compiled === '1' && COMPILES ? 'FAST' : 'APOLLO')
    for (const explained of [first, again]) {
      const { fetches, plan, ms, databaseMs, subgraphMs } = explained
      expect(plan.kind).toMatch(/Sequence|Fetch/)
      expect(new Set(fetches.map(({ subgraph }) => subgraph)).size).toBeGreaterThanOrEqual(5)
      for (const one of fetches) {
        expect(JSON.stringify(plan)).toContain(JSON.stringify(one.operation))
        expect(one.errors).toBe(0)
        expect(one.ms).toBeGreaterThan(0)
        if (one.path.length > 0) expect(one.entities).toBeGreaterThan(0)
      }
      const statements = fetches.flatMap(one => one.statements)
      expect(statements.length).toBeGreaterThanOrEqual(5)
      expect(statements.some(({ rows }) => rows > 0)).toBe(true)
      for (const { text, rows, requests, ms: own } of statements) {
        expect(text).toMatch(/^(SELECT|WITH) /)
        expect(text).not.toContain('91000001')
        expect([rows >= 0, requests >= 1, own >= 0]).toEqual([true, true, true])
      }
      expect(subgraphMs).toBeGreaterThan(0)
      // Behind other processes the time in the database is theirs.
      if (!SEPARATE) expect(databaseMs).toBeGreaterThan(0)
      expect(ms + 1).toBeGreaterThanOrEqual(subgraphMs)
    }
  })

  it.each([
    ['customer-360', CUSTOMER_360],
    [
      'a timeline',
      '{ subscriber(mobileNumber: "+96891000002") { timeline(first: 9) { nodes { kind occurredAt transaction { id } } } } }',
    ],
    ['lists', '{ payments(first: 3) { totalCount nodes { id customer { customerName } } } me { id } }'],
    ['nothing found', '{ subscriber(mobileNumber: "+96899999999") { kind customer { totalDues } } }'],
  ])('EXPLAIN-02 MUST leave the data of %s as they are, byte by byte', async (_name, query) => {
    const variables = query === CUSTOMER_360 ? VARIABLES : {}
    const answers = []
    for (const headers of [{}, EXPLAIN, {}, EXPLAIN]) answers.push(await ask(query, { variables, headers }))
    const [plain, explained, ...others] = answers
    expect(plain!.explained).toBeUndefined()
    expect(plain!.text).not.toContain('extensions')
    expect(explained!.explained).toBeDefined()
    expect(explained!.data).toBe(plain!.data)
    expect(others.map(({ data }) => data)).toEqual([plain!.data, plain!.data])
    expect(new Set(answers.map(({ cost }) => cost)).size).toBe(1)
  })

  it('EXPLAIN-03 MUST explain an operation with errors too, and leave them as they are', async () => {
    const query =
      'mutation Undo { cancelTransaction(id: "01900000-0000-7000-8000-000000000000", reason: "x") { id } }'
    const client = 'demo-portal'
    const plain = JSON.parse((await ask(query, { client })).text)
    const { text, explained } = await ask(query, { client, headers: EXPLAIN })
    const { extensions, ...same } = JSON.parse(text)
    expect(plain.errors).toHaveLength(1)
    expect(same).toEqual(plain)
    expect(Object.keys(extensions)).toEqual(['explain'])
    expect(explained!.fetches[0]!.errors).toBe(1)
  })

  it('EXPLAIN-08 MUST refuse what is not valid as without the header', async () => {
    const send = async (query: string, headers: Record<string, string>) => {
      const token = await stack.token('demo-analyst')
      const response = await fetch(`${stack.address}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      })
      const { errors, data } = (await response.json()) as { errors: object[]; data?: object }
      return { status: response.status, errors, data }
    }
    for (const query of ['{ nope }', '{ me', 'query ($n: Nope!) { me { id } }'])
      expect(await send(query, EXPLAIN)).toEqual(await send(query, {}))
  })

  it('EXPLAIN-04 MUST answer a partner, and a header with another value, without it', async () => {
    const query = '{ me { id } }'
    const refused = await Promise.all([
      ask(query, { client: 'demo-partner', headers: EXPLAIN }),
      ask(query, { headers: { 'x-explain': 'yes' } }),
    ])
    expect(refused.map(({ text }) => text)).toEqual([
      '{"data":{"me":{"id":"demo-partner"}}}\n',
      '{"data":{"me":{"id":"demo-analyst"}}}\n',
    ])
  })

  it('EXPLAIN-05 MUST tell every client the cost of its operation, as the quota counts it', async () => {
    const small = await ask('{ me { id } }', { client: 'demo-partner' })
    const large = await ask('{ payments(first: 50) { nodes { id } } }', { client: 'demo-partner' })
    expect(Number(small.cost)).toBeGreaterThan(0)
    expect(Number(large.cost)).toBeGreaterThan(49)
    const { cost, explained } = await ask(CUSTOMER_360, { variables: VARIABLES, headers: EXPLAIN })
    expect(Number(cost)).toBe(explained!.cost)
  })

  it('EXPLAIN-06 MUST show a page that its origin may read the cost', async () => {
    const token = await stack.token('demo-portal')
    const response = await fetch(`${stack.address}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        origin: 'http://localhost:3000',
      },
      body: JSON.stringify({ query: '{ me { id } }' }),
    })
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Operation-Cost')
    expect(Number(response.headers.get('x-operation-cost'))).toBeGreaterThan(0)
  })

  it('EXPLAIN-07 MUST keep statements of requests apart that run at once', async () => {
    const numbers = ['+96891000001', '+96891000002', '+96892000001', '+96892000002']
    const query = (alias: string) =>
      `query ($n: PhoneNumber!) { ${alias}: subscriber(mobileNumber: $n) { kind timeline(first: 2) { nodes { kind } } } }`
    const answers = await Promise.all(
      numbers.flatMap((n, index) => [
        ask(query(`a${index}`), { variables: { n }, headers: EXPLAIN }),
        ask(query(`b${index}`), { variables: { n } }),
      ]),
    )
    answers.forEach(({ explained, data }, index) => {
      const alias = `${index % 2 === 0 ? 'a' : 'b'}${index >> 1}`
      expect(data.startsWith(`{"${alias}":`)).toBe(true)
      if (index % 2 === 1) expect(explained).toBeUndefined()
      else for (const { operation } of explained!.fetches) expect(operation).not.toMatch(/\bb\d:/)
    })
  })
})

describe('explanations without demo data', () => {
  it('EXPLAIN-10 MUST be given within the quota of a client, to portals and analysts alone', async () => {
    await using stack = await startStack({ env: { DEMO: '0' } })
    const quotas = { explainedPerMinute: '1' }
    const clients = [
      { id: 'granted', role: 'analyst', quotas },
      { id: 'not-granted', role: 'analyst' },
      { id: 'shop', role: 'partner', quotas },
    ] as const
    const explained = async (authorization: string) => {
      const response = await fetch(`${stack.address}/graphql`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'x-explain': '1' },
        body: JSON.stringify({ query: '{ me { id } }' }),
      })
      const { data, extensions } = (await response.json()) as { data: object; extensions?: object }
      expect(data).toBeDefined()
      return extensions !== undefined
    }
    for (const client of clients) {
      const authorization = `Bearer ${await stack.token(client)}`
      const expected = client.id === 'granted' ? [true, false] : [false, false]
      expect([await explained(authorization), await explained(authorization)]).toEqual(expected)
    }
  })
})
