/** Orders of every kind as they are sent, by `schema/charging.openapi.yaml`: the document says all that one has, and no more. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargingBook } from '#connectors/http/book.ts'
import type { BookEntry } from '#connectors/http/messages.ts'
import { compareBooks, type Difference } from '#connectors/http/orders/compare.ts'
import { newId } from '#core/values/id.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { Simulator, TOKEN } from '#test/support/charging-simulator.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { readOpenApi } from '#test/support/openapi.ts'
import { createRest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

interface KindSchema {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, unknown>>
}

const document = readOpenApi('charging') as unknown as {
  paths: Record<
    string,
    { put?: { requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> } } }
  >
  components: { schemas: Record<string, KindSchema & { discriminator: { mapping: Record<string, string> } }> }
}
const MAPPING = document.components.schemas['Order']!.discriminator.mapping
const nameOf = (operation: string) => MAPPING[operation]!.split('/').at(-1)!

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'charging')
const isOrder = ajv.compile({ $ref: 'charging#/components/schemas/Order' })

const CHARGED = FIXTURES.filter(({ kind }) => kind !== 'MESSAGE')
const OPERATIONS = {
  PAYMENT: 'payBill',
  RECHARGE: 'recharge',
  REWARD: 'addPoints',
  REDEMPTION: 'redeemPoints',
} as const

let simulator: Simulator
let stack: Stack
let token: string
beforeAll(async () => {
  simulator = await Simulator.start()
  const env = {
    CHARGING: 'http',
    CHARGING_URL: simulator.address,
    CHARGING_TOKEN: TOKEN,
    LOG_LEVEL: 'silent',
  }
  stack = await startStack({ env })
  token = await stack.token()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await simulator?.[Symbol.asyncDispose]()
})

const put = async (order: object) => {
  const response = await fetch(`${simulator.address}/orders/${crypto.randomUUID()}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(order),
  })
  return { status: response.status, body: (await response.json()) as { code: string; message: string } }
}

const examples = () =>
  Object.values(
    document.paths['/orders/{transactionId}']!.put!.requestBody.content['application/json']!.examples,
  ).map(({ value }) => value as Record<string, string>)

describe('an order', () => {
  it.each(CHARGED)(
    'WIRE-40 has the members that its kind has, each of them and no other: $kind',
    async fixture => {
      const { status, body } = await createRest(stack.address)('POST', fixture.path, {
        token,
        body: fixture.body(),
      })
      expect(status).toBe(201)
      const id = body[fixture.idField]
      const find = async () => (await simulator.book()).find(({ transactionId }) => transactionId === id)
      await expect.poll(find, { timeout: 20_000 }).toBeDefined()
      const { order, outcome } = (await find())!
      expect(isOrder(order), ajv.errorsText(isOrder.errors)).toBe(true)
      expect([order['operation'], outcome]).toEqual([
        OPERATIONS[fixture.kind as keyof typeof OPERATIONS],
        'done',
      ])
      const { required, properties } = document.components.schemas[nameOf(order['operation']!)]!
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(order)))
      expect(Object.keys(order)).toEqual(expect.arrayContaining([...required]))
    },
  )

  it('WIRE-41 of each kind has an example, which the simulator takes', async () => {
    expect(examples().map(({ operation }) => operation)).toEqual(Object.keys(MAPPING))
    for (const example of examples()) {
      expect(isOrder(example), ajv.errorsText(isOrder.errors)).toBe(true)
      expect((await put(example)).status).toBe(200)
    }
  })

  it('WIRE-42 without any one of its members is none: the simulator refuses it and names the member', async () => {
    for (const example of examples()) {
      const { required } = document.components.schemas[nameOf(example['operation']!)]!
      for (const name of required) {
        const { [name]: _, ...rest } = example
        expect(isOrder(rest), `${example['operation']} without ${name}`).toBe(false)
        const { status, body } = await put(rest)
        expect([status, body.code]).toEqual([400, 'INVALID_ORDER'])
        expect(body.message).toContain(name)
      }
    }
    expect((await put({ operation: 'sendSms' })).body.message).toContain(
      'payBill, recharge, addPoints, redeemPoints',
    )
  })
})

describe('the books', () => {
  const charged = new Set(CHARGED.map(({ kind }) => kind as string))

  /** The simulator's book, changed before it is read. */
  const compare = async (change: (entries: BookEntry[]) => BookEntry[] = entries => entries) => {
    const book = new ChargingBook({ url: simulator.address, token: TOKEN, timeoutMs: 5_000 })
    const read: BookEntry[] = []
    for await (const entry of book.entries()) read.push(entry)
    const there = change(read)
    const differences: Difference[] = []
    const counts = await compareBooks({
      db: stack.app.db,
      kinds: await loadKinds(),
      charged,
      book: {
        entries: async function* () {
          yield* there
        },
        outcomeOf: async id => there.find(({ transactionId }) => transactionId === id)?.outcome,
      },
      onDifference: one => void differences.push(one),
    })
    await book.close()
    return { counts, differences }
  }
  const NONE = { open: 0, missingThere: 0, onlyThere: 0, different: 0 }
  /** Orders that were posted here: examples that a test has put there stand in no book of ours. */
  const posted = new Set<string>()
  const ours = (entries: BookEntry[]) => entries.filter(({ transactionId }) => posted.has(transactionId))

  beforeAll(async () => {
    await stack.settled()
    const there = new Set((await simulator.book()).map(({ transactionId }) => transactionId))
    for (const { path, idField } of CHARGED) {
      const { body } = await createRest(stack.address)('GET', `${path}?perPage=1000`, { token })
      for (const one of body) if (there.has(one[idField])) posted.add(one[idField])
    }
  })

  it('WIRE-43 agree where nothing went wrong', async () => {
    const { counts, differences } = await compare(ours)
    expect(differences).toEqual([])
    expect(counts).toEqual({ ...NONE, compared: CHARGED.length })
  })

  it('WIRE-44 that differ are reported as missing, surplus or different', async () => {
    const [lost, moved, changed, undone] = [...posted] as [string, string, string, string]
    const strange = newId(new Date(0))
    const { counts, differences } = await compare(entries => [
      {
        transactionId: strange,
        outcome: 'done',
        operation: 'recharge',
        holder: { mobileNumber: '96892000001' },
        amount: '1',
        currency: 'OMR',
      },
      ...ours(entries).flatMap((entry): BookEntry[] => {
        const { transactionId: id } = entry
        if (id === lost) return []
        if (id === moved)
          return [
            {
              ...entry,
              holder: entry.holder?.accountNumber
                ? { mobileNumber: '96891000009' }
                : { accountNumber: '100009' },
            },
          ]
        if (id === changed) return [{ ...entry, ...(entry.points ? { points: '7777' } : { amount: '7777' }) }]
        return [id === undone ? { transactionId: id, outcome: 'declined' } : entry]
      }),
    ])
    expect(counts).toEqual({ compared: 3, open: 0, missingThere: 1, onlyThere: 1, different: 3 })
    const found = Object.fromEntries(differences.map(one => [one.transactionId, one.what]))
    expect(found).toEqual({
      [strange]: 'only-there',
      [lost]: 'missing-there',
      [moved]: 'holder',
      [changed]: 'amount',
      [undone]: 'outcome',
    })
  })
})
