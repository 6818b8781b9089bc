/** Every fault of a request is reported at once, in the order of the schema (docs/decisions.md, "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf, mutationOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField, withoutField } from '../support/fields.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Body, type ServiceFixture, unique } from '../support/fixtures/fixture.ts'
import { documentedOperations } from '../support/openapi.ts'
import { schemaFaults } from '../support/schema-faults.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
let limited: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
  const limits = { maxAmount: '100', maxPoints: '100', monthlyAmount: '150', monthlyPoints: '150' }
  limited = await stack.token({ id: `limited-${unique()}`, role: 'partner', ...limits })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** One thing that is wrong with a body, in a field of its own. */
interface Injected {
  readonly path: string
  readonly value: unknown
}

/** Faults by rules alone, whatever else is wrong. */
const ruleFaults = ({ money, points, phone, kind, body }: ServiceFixture): Injected[] => {
  const sample = body()
  const amounts = money
    ? [
        { path: money.amount, value: -3 },
        { path: money.currency, value: 'XXX' },
        { path: money.amount.replace(/amount$/, 'vatAmount'), value: -1 },
        { path: `${money.metaData}.fee`, value: -1 },
        { path: `${money.metaData}.currency`, value: 'XXX' },
      ]
    : []
  return [
    { path: 'webhook.notificationUrl', value: 'ftp://here' },
    { path: 'webhook.notificationAuthToken', value: 'é' },
    { path: phone, value: 'abc' },
    ...amounts,
    ...(points ? [{ path: points, value: -3 }] : []),
    ...(kind === 'PAYMENT'
      ? [{ path: 'paymentTransaction.customerInfo.customerAccountNumber', value: '' }]
      : []),
    ...(kind === 'MESSAGE' ? [{ path: 'expiryTime', value: '2020-01-01T00:00:00Z' }] : []),
  ].filter(({ path }) => fieldOf(sample, path) !== undefined)
}

/** Faults by the schema, as far as something else can be wrong beside them. */
const shapeFaults = ({ name, body }: ServiceFixture): Injected[] => {
  const [create] = documentedOperations(name).filter(operation => operation.body)
  const sample = body()
  const faults = schemaFaults(name, create!.body!, path => fieldOf(sample, path) !== undefined)
  // A list that is too long has items of its own that are wrong.
  return faults.filter(({ id }) => !id.startsWith('09/'))
}

/** A generator of numbers in [0, 1) that gives the same for a seed (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const isWithin = (one: string, other: string) =>
  one === other || one.startsWith(`${other}.`) || one.startsWith(`${other}[`)

/** Two or three faults of which none stands in, or around, another's field. */
const pick = (faults: readonly Injected[], random: () => number): Injected[] => {
  const picked: Injected[] = []
  const wanted = random() < 0.5 ? 2 : 3
  for (let tries = 0; tries < 50 && picked.length < wanted; tries++) {
    const one = faults[Math.floor(random() * faults.length)]!
    if (picked.every(({ path }) => !isWithin(path, one.path) && !isWithin(one.path, path))) picked.push(one)
  }
  return picked
}

const broken = (body: Body, faults: readonly Injected[]): Body =>
  faults.reduce(
    (sent, { path, value }) =>
      value === undefined ? withoutField(sent, path) : withField(sent, path, value),
    body,
  )

/** The paths by which the sentences of a message begin. */
const named = (message: string): string[] =>
  message
    .split('; ')
    .map(sentence => sentence.split(' ', 1)[0]!)
    // Advice follows some sentences.
    .filter(word => word !== 'the')

const ROUNDS = 15

describe.each(FIXTURES)('$name', fixture => {
  const { path, body, mutation } = fixture
  const rules = ruleFaults(fixture)
  const shapes = shapeFaults(fixture)

  it('FAULTS-01 MUST name each of some faults that are picked at random, over REST', async () => {
    const random = seeded(fixture.name.length)
    for (let round = 0; round < ROUNDS; round++) {
      const faults = pick([...shapes, ...rules, ...rules], random)
      const sent = broken(body(), faults)
      const { status, body: refusal } = await restOf(stack)('POST', path, { token, body: sent })
      const what = `${JSON.stringify(faults)}: ${refusal.message}`
      expect([status, refusal.code], what).toEqual([400, 'INVALID_ARGUMENT'])
      for (const { path: field } of faults) expect(named(refusal.message), what).toContain(field)
      expect(new Set(named(refusal.message)), what).toEqual(new Set(faults.map(one => one.path)))
    }
  })

  it('FAULTS-02 MUST name each in the graph as well, with a sentence for people', async () => {
    const random = seeded(1)
    const inGraph = shapes.filter(
      one => typeof one.value === 'string' && /referenceCode|smsText/.test(one.path),
    )
    for (let round = 0; round < 10; round++) {
      const faults = pick([...rules, ...inGraph], random)
      const sent = broken(body(), faults)
      const { errors } = await graphOf(stack)(mutationOf(fixture), { token, variables: { input: sent } })
      const what = JSON.stringify({ faults, errors })
      expect(new Set(errors.map(({ extensions }) => extensions.field)), what).toEqual(
        new Set(faults.map(one => one.path)),
      )
      for (const { path: at, message, extensions } of errors) {
        expect(at, what).toEqual([mutation])
        expect(extensions.sentence, what).toMatch(/^[A-Z].*\.$/)
        expect(extensions.sentence, what).not.toContain(extensions.field)
        expect(message, what).toContain(extensions.field)
      }
    }
  })

  it('FAULTS-03 MUST tell of an amount beyond the limits beside what else is wrong, and be refused by that', async () => {
    const measure = fixture.money?.amount ?? fixture.points
    if (measure === undefined) return
    const wrong = withField(body(), 'webhook.notificationUrl', 'ftp://here')
    const rule = await restOf(stack)('POST', path, { token: limited, body: withField(wrong, measure, 160) })
    expect(rule).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } })
    expect(named(rule.body.message)).toEqual(['webhook.notificationUrl', measure, measure])
    const shape = withField(withField(body(), 'webhook.notificationUrl', 5), measure, 120)
    const both = await restOf(stack)('POST', path, { token: limited, body: shape })
    expect(both).toMatchObject({ status: 400, body: { code: 'INVALID_ARGUMENT' } })
    expect(named(both.body.message)).toEqual(['webhook.notificationUrl', measure])
    const alone = await restOf(stack)('POST', path, { token: limited, body: withField(body(), measure, 160) })
    expect(alone).toMatchObject({ status: 403, body: { code: 'CARRIER_BILLING.UNAUTHORIZED_AMOUNT' } })
    expect(named(alone.body.message)).toEqual([measure, measure])
  })

  it('FAULTS-04 MUST be refused by its shape before it is known as a repeat', async () => {
    const sent = body()
    expect((await restOf(stack)('POST', path, { token, body: sent })).status).toBe(201)
    const again = await restOf(stack)('POST', path, { token, body: withField(sent, 'webhook', 5) })
    expect(again.status).toBe(400)
    expect(named(again.body.message)).toEqual(['webhook'])
    const repeat = await restOf(stack)('POST', path, {
      token,
      body: withField(sent, 'webhook.notificationUrl', 'ftp://here'),
    })
    expect(named(repeat.body.message)).toEqual([fixture.correlator])
  })
})

const PAYMENT = FIXTURES.find(({ kind }) => kind === 'PAYMENT')!
const INFORMATION = 'paymentTransaction.paymentInfo.paymentInformation'

it('FAULTS-10 MUST tell of account, amount, currency and reference in one round, in the order of the schema', async () => {
  const faults = [
    { path: `${INFORMATION}.currency`, value: 'XXX' },
    { path: `${INFORMATION}.amount`, value: -3 },
    { path: 'paymentTransaction.customerInfo.customerAccountNumber', value: '' },
    { path: 'paymentTransaction.referenceCode', value: '' },
  ]
  const { body } = await restOf(stack)('POST', PAYMENT.path, { token, body: broken(PAYMENT.body(), faults) })
  expect(named(body.message)).toEqual([
    'paymentTransaction.referenceCode',
    'paymentTransaction.customerInfo.customerAccountNumber',
    `${INFORMATION}.amount`,
    `${INFORMATION}.currency`,
  ])
})

it('FAULTS-13 MUST tell of a number that cannot be kept beside what else is wrong', async () => {
  const body = withField(PAYMENT.body(), 'paymentTransaction.referenceCode', '')
  const raw = JSON.stringify(withField(body, `${INFORMATION}.amount`, 12.5)).replace(
    '12.5',
    '1.2345678901234567',
  )
  const { status, body: refusal } = await restOf(stack)('POST', PAYMENT.path, { token, raw })
  expect(status).toBe(400)
  expect(named(refusal.message)).toEqual(['paymentTransaction.referenceCode', `${INFORMATION}.amount`])
})

it('FAULTS-11 MUST be refused by the number of another before the rules, and tell of them', async () => {
  const bound = await stack.token({ id: `bound-${unique()}`, role: 'partner', phoneNumber: '96891000004' })
  const { money } = PAYMENT
  const { status, body } = await restOf(stack)('POST', PAYMENT.path, {
    token: bound,
    body: withField(PAYMENT.body(), money!.amount, -3),
  })
  expect([status, body.code]).toEqual([403, 'CARRIER_BILLING.INVALID_TOKEN_CONTEXT'])
  expect(named(body.message)).toEqual([PAYMENT.phone, money!.amount])
})

const META_DATA = 'paymentTransaction.paymentInfo.paymentMetaData'

it('FAULTS-14 MUST say what a number of the card may be', async () => {
  const path = `${META_DATA}.creditCardDetails.expiryYear`
  const body = withField(PAYMENT.body(), path, 2_147_483_648)
  const refusal = await restOf(stack)('POST', PAYMENT.path, { token, body })
  expect(refusal.body.message).toBe(`${path} must be a whole number from -2147483648 to 2147483647`)
})

it('FAULTS-12 MUST name the value of an enumeration and those allowed, but no digits', async () => {
  const rest = restOf(stack)
  const refusal = async (value: unknown) =>
    (
      await rest('POST', PAYMENT.path, {
        token,
        body: withField(PAYMENT.body(), `${META_DATA}.paymentMethod`, value),
      })
    ).body.message
  expect(await refusal('cheque')).toBe(
    `${META_DATA}.paymentMethod must be one of cash, credit_card, debit_card, not "cheque"`,
  )
  expect(await refusal('card 4111 1111')).toContain('not "card **** ****"')
})

/** A mutation with its input as a literal. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal)}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value).map(([name, field]) => `${name}: ${literal(field)}`)}}`
  return typeof value === 'string' && /^(credit_card|Visa|cheque)$/.test(value)
    ? value
    : JSON.stringify(value)
}

const send = (input: Body, as: 'variable' | 'literal') => {
  const graph = graphOf(stack)
  return as === 'variable'
    ? graph(mutationOf(PAYMENT), { token, variables: { input } })
    : graph(`mutation { createPayment(input: ${literal(input)}) { paymentId } }`, { token })
}

it('FAULTS-23 MUST tell people of a repeat in a sentence of its own', async () => {
  const sentenceOf = async (body: Body) => {
    await send(body, 'variable')
    return (await send(body, 'variable')).errors[0]!.extensions.sentence
  }
  const correlator = unique()
  const repeated = withField(PAYMENT.body(), 'paymentTransaction.clientCorrelatorId', correlator)
  expect(await sentenceOf(repeated)).toMatch(
    new RegExp(`^${correlator} already exists on the server: .*\\.$`),
  )
  const reference = withField(
    withoutField(PAYMENT.body(), 'paymentTransaction.clientCorrelatorId'),
    'paymentTransaction.referenceCode',
    'R-sentence',
  )
  expect(await sentenceOf(reference)).toMatch(/^R-sentence was already posted for account .*\.$/)
})

describe.each(['variable', 'literal'] as const)('as a %s', as => {
  const extensionsOf = async (path: string, value: unknown) => {
    const { errors } = await send(withField(PAYMENT.body(), path, value), as)
    return { ...errors[0]!.extensions, message: errors[0]!.message }
  }

  it('FAULTS-20 MUST name the value of an enumeration and those allowed', async () => {
    const refusal = await extensionsOf(`${META_DATA}.paymentMethod`, 'cheque')
    expect(refusal).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'UNKNOWN_VALUE',
      limit: { allowed: ['cash', 'credit_card', 'debit_card'] },
      sentence: 'This must be one of cash, credit_card, debit_card, not "cheque".',
    })
    expect(refusal.message).toContain('not "cheque"')
  })

  it('FAULTS-21 MUST tell an amount that is no number from one with too many digits', async () => {
    expect(await extensionsOf(`${INFORMATION}.amount`, 'abc')).toMatchObject({
      reason: 'WRONG_TYPE',
      sentence: 'This must be a number or its text.',
    })
    expect(await extensionsOf(`${INFORMATION}.amount`, '1.2345678901234567')).toMatchObject({
      reason: 'TOO_MANY_DIGITS',
      limit: { length: 15 },
    })
  })

  it.each([
    ['paymentTransaction.referenceCode', 'r'.repeat(21), { min: 1, max: 20, length: 20 }],
    ['paymentTransaction.referenceCode', '', { min: 1, max: 20, length: 20 }],
    [`${INFORMATION}.amount`, -3, { min: 0 }],
    [`${INFORMATION}.amount`, 1.2345, { length: 3 }],
    [`${INFORMATION}.currency`, 'USD', { allowed: ['OMR'] }],
  ])('FAULTS-22 MUST tell the limit as data: %s %j', async (path, value, limit) => {
    expect(await extensionsOf(path, value)).toMatchObject({ field: path, limit })
  })
})
