/** Commands of the pages answer as they are printed there, on the demo as it is at a first start. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { OperationTypeNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFieldExamples } from '#gateway/reference/types.ts'
import { INTERFACES, restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { loyalty } from '../support/fixtures/loyalty.ts'
import { createGraph } from '../support/graph.ts'
import { readOpenApi } from '../support/openapi.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect } from '../support/subscribe.ts'
import { expectTour } from './tour.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

it('DOCS-34 MUST answer each command of the tour as the README prints it', async () => {
  await expectTour(stack.address, stack.settled)
})

/** The text of a page's only `<pre>`, as a person copies it. */
const copied = (html: string): string =>
  /<pre>(.*?)<\/pre>/s
    .exec(html)![1]!
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

it('DOCS-38 MUST answer the commands of the start page in any shell, with curl and sed alone', async () => {
  const page = await fetch(stack.address, { headers: { accept: 'text/html' } })
  const commands = copied(await page.text())
  const programs = [...commands.matchAll(/(?:^|\$\(|\| )([a-z]\S*)/gm)].map(([, program]) => program)
  expect(new Set(programs)).toEqual(new Set(['curl', 'sed']))
  const { stdout } = await promisify(execFile)('sh', ['-euc', commands])
  expect(stdout.match(/"customerName":"Muna Al Balushi"/g)).toHaveLength(2)
})

it('DOCS-39 MUST find one customer by the four examples together that the reference fills in', async () => {
  const { paths } = readOpenApi('postpaid-billing') as {
    paths: Record<string, { get: { parameters: { name: string; in: string; example: string }[] } }>
  }
  const path = '/postpaid-billing/v1/customers'
  const given = paths[path]!.get.parameters.filter(parameter => parameter.in === 'query')
  expect(given).toHaveLength(4)
  const query = new URLSearchParams(given.map(({ name, example }): [string, string] => [name, example]))
  const { status, body } = await restOf(stack)('GET', `${path}?${query}`, { token: await stack.token() })
  expect([status, body]).toMatchObject([201, { customerName: 'Gulf Pearl Trading LLC' }])
})

describe('an example of the reference', () => {
  const examples = readFieldExamples()
  const of = (wanted: OperationTypeNode) => examples.filter(({ operation }) => operation === wanted)

  const ask = async (text: string, client: string, variables?: object) => {
    const answer = await createGraph(stack.address)(text, { token: await stack.token(client), variables })
    expect({ text, errors: answer.errors }).toEqual({ text, errors: [] })
    return answer.data
  }

  /** Variables that the examples leave open: ids of the newest of each kind, and the log's beginning. */
  const readVariables = async () => {
    const lists = FIXTURES.map(({ list, idField }) => `${list}(first: 1) { nodes { ${idField} } }`)
    const data = await ask(
      `{ ${lists.join(' ')} webhookDeliveries(first: 1) { nodes { id } }
        events(first: 1, orderBy: OLDEST_FIRST) { edges { cursor } } }`,
      'demo-portal',
    )
    const ids = FIXTURES.map(({ list, idField }) => [idField, data[list].nodes[0][idField]])
    const [deliveryId, after] = [data.webhookDeliveries.nodes[0].id, data.events.edges[0].cursor]
    const batch = await stack.app.db.smsBatch.findFirst()
    return { ...Object.fromEntries(ids), id: ids[0]![1], deliveryId, after, batchId: batch?.id }
  }

  /** Examples that post come first: the others ask for their transactions. */
  const mutations = of(OperationTypeNode.MUTATION).toSorted(
    (a, b) => Number(a.text.includes('$')) - Number(b.text.includes('$')),
  )

  /** Interventions of an operator, in a reward that waits and in one that was carried out. */
  const OPERATED: Readonly<Record<string, 'waits' | 'done'>> = {
    cancelTransaction: 'waits',
    reverseTransaction: 'done',
  }

  const operate = async (field: string, text: string) => {
    const rewards = stack.server.services.find(({ name }) => name === loyalty.name)!
    if (OPERATED[field] === 'waits') await rewards.stop()
    const { id } = await INTERFACES[0]!.create(stack, loyalty, await stack.token(), loyalty.body())
    await stack.settled()
    const data = await ask(text, 'demo-portal', { id })
    if (OPERATED[field] === 'waits') await rewards.start()
    return data
  }

  it.each(mutations)('DOCS-35 MUST be carried out: $field', async ({ field, text }) => {
    await stack.settled()
    const variables = text.includes('$') ? await readVariables() : undefined
    const data = field in OPERATED ? await operate(field, text) : await ask(text, 'demo-partner', variables)
    expect(data[field]).not.toBeNull()
  })

  it('DOCS-36 MUST be answered by a query', async () => {
    const variables = await readVariables()
    await stack.token({ id: 'an-auditor', role: 'auditor' })
    for (const { field, text } of of(OperationTypeNode.QUERY)) {
      const data = await ask(text, field === 'accessRecords' ? 'an-auditor' : 'demo-portal', variables)
      expect({ field, answer: data[field] }).not.toEqual({ field, answer: null })
    }
  })

  it('DOCS-37 MUST bring events by a subscription', async () => {
    const variables = await readVariables()
    using socket = connect(stack.address, bearer(await stack.token('demo-portal')))
    for (const { field, text } of of(OperationTypeNode.SUBSCRIPTION)) {
      using incoming = socket.subscribe(text, variables)
      const { data, errors } = await incoming.next()
      expect({ field, errors, cursor: data?.[field].cursor }).toEqual({ field, cursor: expect.any(String) })
    }
  })
})
