/** Money and points: exact, bounded, in currencies that are (docs/decisions.md, "Values"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphOf, INTERFACES, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  const currencies = ['OMR', 'USD', 'JPY', 'KWD', 'CLF']
  token = await stack.token({ id: 'money-partner', role: 'partner', currencies, dummyCards: true })
})
afterAll(() => stack[Symbol.asyncDispose]())

/** Numbers, the currency, and what is said of those that are refused. */
const AMOUNTS: [number: string, amount: number, currency: string, says?: RegExp][] = [
  ['01', 0.001, 'OMR'],
  ['02', 999_999_999_999.999, 'OMR'],
  ['03', 1e3, 'OMR'],
  ['04', 0, 'OMR', /greater than 0/],
  ['05', -1, 'OMR', /greater than 0/],
  ['06', 0.0001, 'OMR', /at most 3 decimals in OMR/],
  ['07', 1e12, 'OMR', /at most 12 digits before/],
  ['08', 1e300, 'OMR', /at most 12 digits before/],
  ['09', 5e-324, 'OMR', /at most 3 decimals/],
  ['10', 0.01, 'USD'],
  ['11', 0.001, 'USD', /at most 2 decimals in USD/],
  ['12', 1, 'JPY'],
  ['13', 1.5, 'JPY', /at most 0 decimals in JPY/],
  ['14', 1.0001, 'CLF'],
  ['15', 1.123, 'KWD'],
]

/** Currencies, all in the place of OMR. */
const CURRENCIES: [number: string, currency: string, says: RegExp][] = [
  ['30', 'XYZ', /active ISO 4217/],
  ['31', 'omr', /active ISO 4217/],
  ['32', '', /active ISO 4217/],
  ['33', 'XAU', /active ISO 4217/],
  ['34', 'XXX', /active ISO 4217/],
  ['35', 'DEM', /active ISO 4217/],
  ['36', 'EUR', /not authorized/],
]

const POINTS: [number: string, points: number, says?: RegExp][] = [
  ['01', 0.01],
  ['02', 12.5],
  ['03', 0, /greater than 0/],
  ['04', -5, /greater than 0/],
  ['05', 0.001, /at most 2 decimals/],
  ['06', 1e12, /at most 12 digits before/],
]

const WITH_MONEY = FIXTURES.filter(({ money }) => money)
const WITH_POINTS = FIXTURES.filter(({ points }) => points)
const refused = (says?: RegExp) =>
  says ? { status: 400, code: 'INVALID_ARGUMENT', message: expect.stringMatching(says) } : { status: 201 }

describe.each(INTERFACES)('$id', client => {
  describe.each(WITH_MONEY)('$name', fixture => {
    const { amount, currency, metaData } = fixture.money!

    it.each(AMOUNTS)(`${client.id}-MONEY-%s MUST judge %d %s`, async (_, value, code, says) => {
      const body = withField(withField(fixture.body(), amount, value), currency, code)
      const small = withField(body, `${metaData}.fee`, 0)
      const group = amount.slice(0, amount.lastIndexOf('.'))
      const plain = [`${group}.vatAmount`, `${group}.taxAmount`].reduce(
        (at, path) => withField(at, path, 0),
        small,
      )
      const created = await client.create(stack, fixture, token, plain)
      expect(created).toMatchObject(refused(says))
      if (says) expect(created.message).toContain(amount)
    })

    it.each(CURRENCIES)(`${client.id}-MONEY-%s MUST refuse the currency "%s"`, async (_, code, says) => {
      const created = await client.create(stack, fixture, token, withField(fixture.body(), currency, code))
      expect(created).toMatchObject(refused(says))
      expect(created.message).toContain(currency)
    })

    const group = amount.slice(0, amount.lastIndexOf('.'))
    const items = `${group.slice(0, group.lastIndexOf('.'))}.amountDetails[1]`
    it.each([
      ['40', `${items}.amount`, 0],
      ['41', `${items}.amount`, 0.0001],
      ['42', `${items}.currency`, 'EUR'],
      ['43', `${group}.vatAmount`, -1],
      ['44', `${group}.taxAmount`, -0.0001],
      ['45', `${metaData}.fee`, -1],
      ['46', `${metaData}.currency`, 'XYZ'],
    ])(`${client.id}-MONEY-%s MUST refuse %s = %s`, async (_, path, value) => {
      const created = await client.create(stack, fixture, token, withField(fixture.body(), path, value))
      expect(created).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
      expect(created.message).toContain(path)
    })
  })

  describe.each(WITH_POINTS)('$name', fixture => {
    it.each(POINTS)(`${client.id}-POINTS-%s MUST judge %d points`, async (_, value, says) => {
      const created = await client.create(
        stack,
        fixture,
        token,
        withField(fixture.body(), fixture.points!, value),
      )
      expect(created).toMatchObject(refused(says))
      if (says) expect(created.message).toContain(fixture.points)
    })
  })
})

/** Numbers as text in the JSON, since JavaScript would round them before they are sent. */
const EXACT: [number: string, text: string, accepted: boolean][] = [
  ['50', '15.250', true],
  ['51', '1.525e1', true],
  ['52', '123456789012.345', true],
  ['53', '0.30000000000000004', false],
  ['54', '15.2500000000000001', false],
  ['55', '12345678901234567890', false],
  ['56', '1e400', false],
]

describe.each(READABLE)('$name', fixture => {
  const path = fixture.money?.amount ?? fixture.points!

  it.each(EXACT)('REST-MONEY-%s MUST keep %s exactly or refuse it', async (_, text, accepted) => {
    const legal = fixture.points && text.includes('.345') ? '1234567890123.5'.slice(1) : text
    const raw = JSON.stringify(withField(fixture.body(), path, 777_777)).replace('777777', legal)
    const response = await restOf(stack)('POST', fixture.path, { token, raw })
    expect(response.status, response.text).toBe(accepted ? 201 : 400)
    if (!accepted) return
    const id = response.body[fixture.idField]
    const read = await restOf(stack)('GET', `${fixture.path}/${id}`, { token })
    expect(fieldOf(read.body, path)).toBe(Number(legal))
    const leaf = fixture.money ? 'amount { value currency }' : 'points'
    const query = `{ ${fixture.single}(${fixture.idField}: "${id}") { ${leaf} } }`
    const { data } = await graphOf(stack)(query, { token })
    const expected = fixture.money
      ? { amount: { value: Number(legal), currency: 'OMR' } }
      : { points: Number(legal) }
    expect(data[fixture.single]).toEqual(expected)
  })

  it('GRAPH-MONEY-60 MUST read a Decimal from a number or a text, and write it as a number', async () => {
    for (const value of ['7.25', 7.25, '7.250']) {
      const created = await INTERFACES[1]!.create(
        stack,
        fixture,
        token,
        withField(fixture.body(), path, value),
      )
      const read = await restOf(stack)('GET', `${fixture.path}/${created.id}`, { token })
      expect(fieldOf(read.body, path)).toBe(7.25)
    }
  })
})
