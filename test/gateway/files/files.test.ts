/** Answers of the graph as files: rows of the first connection, all pages of it, and what no file can be made of. */
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf } from '#test/subgraphs/activity/graph.ts'
import { type Stack, startStack } from '../../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

interface Asked {
  readonly query: string
  readonly variables?: object
  readonly operationName?: string
}

const ask = async (body: Asked, accept = 'text/csv', client = 'demo-analyst') => {
  const headers = {
    authorization: `Bearer ${await stack.token(client)}`,
    'content-type': 'application/json',
    accept,
  }
  return fetch(`${stack.address}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const records = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, recordDelimiter: '\r\n' })

const QUERY = `query Rows($size: Int, $kinds: [TransactionKind!]) {
  me { id }
  all: timeline(first: $size, filter: { kinds: $kinds }) { totalCount ...Page }
}
fragment Page on TimelineConnection {
  nodes { when: occurredAt outcome amount { ...Amount } transaction { id ... on Payment { paymentTransaction { referenceCode } } webhookDeliveries { status } } }
}
fragment Amount on Money { value currency }
fragment Unused on Money { value }`.replace(/\nfragment Unused.*/, '')

const VARIABLES = { size: 7, kinds: ['PAYMENT', 'REWARD'] }

const inGraph = async () => {
  const graph = graphOf(stack, await stack.token('demo-analyst'))
  return (await graph(QUERY, { ...VARIABLES, size: 200 })).all
}

describe('a file', () => {
  it('FILE-01 MUST have a row for each entry of all pages, nested fields as columns', async () => {
    const { nodes, totalCount } = await inGraph()
    expect(totalCount).toBeGreaterThan(VARIABLES.size * 2)
    const response = await ask({ query: QUERY, variables: VARIABLES })
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'text/csv; charset=utf-8; header=present', 'attachment; filename="Rows.csv"'])
    const rows = records(await response.text())
    // biome-ignore lint/suspicious/noExplicitAny: rows of a graph
    const wanted = nodes.map((node: any) => ({
      when: node.when,
      outcome: node.outcome,
      'amount.value': String(node.amount?.value ?? ''),
      'amount.currency': node.amount?.currency ?? '',
      'transaction.id': node.transaction.id,
      'transaction.paymentTransaction.referenceCode':
        node.transaction.paymentTransaction?.referenceCode ?? '',
      'transaction.webhookDeliveries': JSON.stringify(node.transaction.webhookDeliveries),
    }))
    expect(rows).toEqual(wanted)
  })

  it('FILE-02 MUST have the rows as the graph gives them in JSON lines, by GET too', async () => {
    const { nodes } = await inGraph()
    const lines = async (response: Response) =>
      (await response.text())
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line))
    const posted = await ask(
      { query: QUERY, variables: VARIABLES },
      'application/x-ndjson, application/json;q=0.1',
    )
    expect(posted.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(await lines(posted)).toEqual(nodes)
    const search = new URLSearchParams({ query: QUERY, variables: JSON.stringify(VARIABLES) })
    const headers = {
      authorization: `Bearer ${await stack.token('demo-analyst')}`,
      accept: 'application/x-ndjson',
    }
    expect(await lines(await fetch(`${stack.address}/graphql?${search}`, { headers }))).toEqual(nodes)
  })

  it('FILE-03 MUST begin behind a cursor, take edges for rows, and leave JSON to who prefers it', async () => {
    const page = (more: string) =>
      `{ timeline(first: 5${more}) { edges { node { description } } pageInfo { endCursor } } }`
    const preferred = await ask({ query: page('') }, 'application/json, text/csv;q=0.5')
    const first = (await preferred.json()) as { data: { timeline: { pageInfo: { endCursor: string } } } }
    const { endCursor } = first.data.timeline.pageInfo
    const all = records(await (await ask({ query: page('') })).text())
    const rest = records(await (await ask({ query: page(`, after: "${endCursor}"`) })).text())
    expect(rest).toEqual(all.slice(5))
    expect(Object.keys(all[0]!)).toEqual(['description'])
  })

  it('FILE-04 MUST hold what the client may see alone, and an apostrophe before what looks like a formula', async () => {
    const text = '=HYPERLINK("x")'
    await stack.app.db.timelineEntry.updateMany({ where: { kind: 'PAYMENT' }, data: { text } })
    const query =
      '{ timeline(filter: { kinds: [PAYMENT] }) { nodes { description transaction { postedBy { name } } subject: description } } }'
    const own = await ask({ query: '{ timeline { nodes { kind } } }' }, 'text/csv', 'demo-partner-2')
    expect(await own.text()).toBe('kind\r\n')
    await stack.app.db.client.updateMany({ where: { id: 'demo-kiosks' }, data: { name: text } })
    const rows = records(await (await ask({ query })).text())
    expect(new Set(rows.map(row => row['transaction.postedBy.name']))).toEqual(new Set([`'${text}`]))
  })

  it.each([
    ['{ me { id } }', 400, 'INVALID_ARGUMENT', /selects no connection outside of a list/],
    ['{ timeline { totalCount } }', 400, 'INVALID_ARGUMENT', /select nodes \{ … \} of timeline/],
    ['{ timeline(last: 3) { nodes { kind } } }', 400, 'INVALID_ARGUMENT', /^last has no meaning for a file/],
    ['{ timeline { nodes { kinds } } }', 400, 'INVALID_ARGUMENT', /Cannot query field/],
    ['{ timeline { nodes { kind }', 400, 'INVALID_ARGUMENT', /Syntax Error/],
    ['{ timeline(first: 999) { nodes { kind } } }', 400, 'INVALID_ARGUMENT', /first must be from 0 to 200/],
    ['query A { me { id } } query B { me { id } }', 400, 'INVALID_ARGUMENT', /operationName must name one/],
    ['mutation { redeliverWebhook(deliveryId: "x") { id } }', 400, 'INVALID_ARGUMENT', /not of a mutation/],
    ['{ auditLog { nodes { action } } }', 403, 'PERMISSION_DENIED', /may not call auditLog/],
    [
      '{ timeline { nodes { ...A } } } fragment A on TimelineEntry { ...A }',
      400,
      'INVALID_ARGUMENT',
      /fragment/i,
    ],
  ])('FILE-05 MUST be refused as JSON before it begins: %s', async (query, status, code, message) => {
    const response = await ask({ query })
    const { errors } = (await response.json()) as { errors: { message: string; extensions: object }[] }
    expect([response.status, errors[0]!.extensions]).toEqual([status, expect.objectContaining({ code })])
    expect(errors[0]!.message).toMatch(message)
  })

  it('FILE-06 MUST want a token, be recorded as an act, and name who was looked at', async () => {
    expect((await fetch(`${stack.address}/graphql`, { headers: { accept: 'text/csv' } })).status).toBe(401)
    const before = await stack.app.db.act.count({ where: { action: 'RESULT_EXPORTED' } })
    await (await ask({ query: 'query Named { timeline { nodes { kind } } }' })).text()
    const acts = await stack.app.db.act.findMany({
      where: { action: 'RESULT_EXPORTED' },
      orderBy: { id: 'desc' },
    })
    expect(acts).toHaveLength(before + 1)
    expect(acts[0]).toMatchObject({
      actor: 'demo-analyst',
      target: 'Named',
      details: { format: 'csv', rows: 'timeline' },
    })
  })

  it('FILE-07 MUST break the connection off where a later page fails: nobody takes the beginning for the whole', async () => {
    const kinds = 'kinds: [PAYMENT, REWARD]'
    const graph = graphOf(stack, await stack.token('demo-analyst'))
    const { nodes } = (
      await graph(`{ timeline(first: 200, filter: { ${kinds} }) { nodes { kind occurredAt } } }`)
    ).timeline
    const { occurredAt } = nodes.find(({ kind }: { kind: string }) => kind === 'PAYMENT')
    const query = `{ timeline(first: 1, filter: { ${kinds}, to: "${occurredAt}" }) {
      nodes { kind transaction { transactionOperationStatus } } } }`
    await stack.app.db.$executeRaw`ALTER TABLE loyalty.reward RENAME TO gone`
    const whole = ask({ query }).then(response => response.text())
    await expect(whole).rejects.toThrow(/terminated|fetch failed/)
    await stack.app.db.$executeRaw`ALTER TABLE loyalty.gone RENAME TO reward`
  })
})
