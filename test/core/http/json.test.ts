/** Request bodies as JSON: what is refused before it is parsed, and that looking for it takes one pass. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restOf } from '#test/support/both-interfaces.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const { path } = FIXTURES[0]!
const KIB = 1024
const deep = (levels: number, inside = '1') => `${'[['.repeat(levels / 2)}${inside}${']]'.repeat(levels / 2)}`
const post = (raw: string) => restOf(stack)('POST', path, { token, raw })

/** The longest time that nothing else was served, in milliseconds. */
const delayDuring = async (work: () => Promise<unknown>) => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await work()
  delay.disable()
  return delay.max / 1e6
}

describe('a body that would take long to look at', () => {
  it.each([
    ['zeros before a one', `{"a":1${'0'.repeat(80_000)}1}`],
    ['a mebibyte of zeros before a one', `{"a":1${'0'.repeat(1_000 * KIB)}1}`],
    ['many long runs of zeros', `{"a":[${`1${'0'.repeat(400)}1,`.repeat(2_000)}1]}`],
    ['zeros after the point', `{"a":0.${'0'.repeat(80_000)}}`],
    ['a long exponent', `{"a":1e${'0'.repeat(80_000)}}`],
    ['backslashes without an end', `{"a":"${'\\'.repeat(900 * KIB)}`],
    ['quotes behind backslashes', `{"a":"${'\\\\\\"'.repeat(200 * KIB)}"}`],
    ['many arrays side by side', `{"a":[${'[],'.repeat(300 * KIB)}1234567890123456789]}`],
    ['many names', `{${'"a":1,'.repeat(150 * KIB)}"b":1234567890123456789}`],
  ])('JSON-01 MUST not keep the process from others: %s', async (_, raw) => {
    let status = 0
    const delay = await delayDuring(async () => {
      status = (await post(raw)).status
    })
    expect(status).toBe(400)
    expect(delay).toBeLessThan(250)
  })
})

describe('nesting', () => {
  it.each([
    ['arrays', `{"a":${deep(2_500)}}`],
    ['arrays around a long number', `{"a":${deep(2_500, '1234567890123456')}}`],
    ['objects', `${'{"a":'.repeat(2_500)}1234567890123456${'}'.repeat(2_500)}`],
    ['objects by the name of constructor', `${'{"constructor":'.repeat(2_500)}1${'}'.repeat(2_500)}`],
    ['one level too many', `{"a":${deep(64)}}`],
  ])('JSON-02 MUST be refused beyond 64 levels, with the limit: %s', async (_, raw) => {
    const { status, body } = await post(raw)
    expect([status, body.message]).toEqual([
      400,
      'the JSON of the request body must not be nested deeper than 64 levels',
    ])
  })

  it('JSON-03 MUST be let through up to 64 levels, and brackets in texts not be counted', async () => {
    const body = FIXTURES[0]!.body()
    const extra = { more: JSON.parse(`[${deep(62)}]`), text: '[{'.repeat(500) }
    expect((await post(JSON.stringify({ ...body, ...extra }))).status).toBe(201)
  })
})

const inBody = (member: string) => JSON.stringify(FIXTURES[0]!.body()).replace('{', `{${member},`)

describe('numbers', () => {
  const DIGITS = 'has more than 15 significant digits, which cannot be kept exactly'
  const within = (paymentInfo: string) => `{"paymentTransaction":{"paymentInfo":${paymentInfo}}}`
  it.each([
    ['{"paymentInformation":{"amount":1234567890123456}}', 'paymentInformation.amount'],
    ['{"amountDetails":[{"amount":1},{"amount":-0.1234567890123456}]}', 'amountDetails[1].amount'],
    ['{"paymentMeta\\u0044ata":{"fee":12345678901.23456e2}}', 'paymentMetaData.fee'],
  ])('JSON-04 MUST be refused by their path when they cannot be kept: %s', async (raw, name) => {
    const { status, body } = await post(within(raw))
    expect(status).toBe(400)
    expect(body.message.split('; ')).toContain(`paymentTransaction.paymentInfo.${name} ${DIGITS}`)
  })

  it.each([
    '"more":1234567890123456',
    '"more":{"amount":[0,1234567890123456]}',
    '"webhook ":{"a\\"b":1234567890123456}',
  ])('JSON-06 MUST be ignored with the unknown field that they are in: %s', async member => {
    expect((await post(inBody(member))).status).toBe(201)
  })

  it.each([
    ['of unknown fields', Array(20).fill('1234567890123456').join()],
    ['whose path fills it', `{"${'a'.repeat(4_000)}":1234567890123456}`],
  ])('JSON-07 MUST be refused behind a report that is full of numbers %s', async (_, numbers) => {
    const member = `"more":${numbers.startsWith('{') ? numbers : `[${numbers}]`}`
    const raw = inBody(member).replace(/"amount":[\d.]+/, '"amount":1.2345678901234567')
    const { status, body } = await post(raw)
    expect(status).toBe(400)
    expect(body.message).toContain(DIGITS)
  })

  it.each(['123456789012345', '1000000000000000000000000', '0.000000000000000001', '1.500000000000000000e3'])(
    'JSON-05 MUST be let through when they can: %s',
    async number => {
      const raw = inBody('"more":0').replace('"amount":', `"vatAmount":${number},"amount":`)
      expect((await post(raw)).status).toBe(201)
    },
  )
})
