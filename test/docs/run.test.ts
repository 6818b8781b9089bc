/** What the pages tell people to run answers as they print it, on the demo as it is at a first start. */
import { OperationTypeNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFieldExamples } from '../../gateway/reference/examples.ts'
import { blocksOf, sectionOf } from '../support/docs.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { createGraph } from '../support/graph.ts'
import { readText } from '../support/sources.ts'
import { type Stack, startStack } from '../support/stack.ts'
import { bearer, connect } from '../support/subscribe.ts'
import { openShell } from './shell.ts'

const PRINTED_ADDRESS = 'http://127.0.0.1:4000'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Ids and instants are new each time. */
const withoutNew = (json: string): unknown =>
  JSON.parse(
    json
      .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g, '<id>')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, '<time>'),
  )

it('DOCS-30 MUST answer each command of the tour as the README prints it', async () => {
  const blocks = blocksOf(sectionOf(readText('README.md'), 'A tour'))
  expect(blocks.map(({ language }) => language)).toEqual(Array(4).fill(['sh', 'json']).flat())
  using shell = openShell()
  for (const [index, { language, text }] of blocks.entries()) {
    if (language !== 'sh') continue
    const answer = await shell.paste(text.replaceAll(PRINTED_ADDRESS, stack.address))
    expect(withoutNew(answer)).toEqual(withoutNew(blocks[index + 1]!.text))
    await stack.settled()
  }
})

describe('an example of the reference', () => {
  const examples = readFieldExamples()
  const of = (wanted: OperationTypeNode) => examples.filter(({ operation }) => operation === wanted)

  const ask = async (text: string, client: string, variables?: object) => {
    const answer = await createGraph(stack.address)(text, { token: await stack.token(client), variables })
    expect({ text, errors: answer.errors }).toEqual({ text, errors: [] })
    return answer.data
  }

  /** What the examples leave open: ids of the newest of each kind, and where the log begins. */
  const readVariables = async () => {
    const lists = FIXTURES.map(({ list, idField }) => `${list}(first: 1) { nodes { ${idField} } }`)
    const data = await ask(
      `{ ${lists.join(' ')} webhookDeliveries(first: 1) { nodes { id } }
        events(first: 1, orderBy: OLDEST_FIRST) { edges { cursor } } }`,
      'demo-portal',
    )
    const ids = FIXTURES.map(({ list, idField }) => [idField, data[list].nodes[0][idField]])
    const [deliveryId, after] = [data.webhookDeliveries.nodes[0].id, data.events.edges[0].cursor]
    return { ...Object.fromEntries(ids), id: ids[0]![1], deliveryId, after }
  }

  /** Those that post come first: what they post is what the others ask for. */
  const mutations = of(OperationTypeNode.MUTATION).toSorted(
    (a, b) => Number(a.text.includes('$')) - Number(b.text.includes('$')),
  )

  it.each(mutations)('DOCS-31 MUST be carried out: $field', async ({ field, text }) => {
    await stack.settled()
    const data = await ask(text, 'demo-partner', text.includes('$') ? await readVariables() : undefined)
    expect(data[field]).not.toBeNull()
  })

  it('DOCS-32 MUST be answered by a query', async () => {
    const variables = await readVariables()
    for (const { field, text } of of(OperationTypeNode.QUERY)) {
      const data = await ask(text, 'demo-portal', variables)
      expect({ field, answer: data[field] }).not.toEqual({ field, answer: null })
    }
  })

  it('DOCS-33 MUST bring events by a subscription', async () => {
    const variables = await readVariables()
    using socket = connect(stack.address, bearer(await stack.token('demo-portal')))
    for (const { field, text } of of(OperationTypeNode.SUBSCRIPTION)) {
      using incoming = socket.subscribe(text, variables)
      const { data, errors } = await incoming.next()
      expect({ field, errors, cursor: data?.[field].cursor }).toEqual({ field, cursor: expect.any(String) })
    }
  })
})
