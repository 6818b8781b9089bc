/** Secrets that must not be found: security codes, card numbers and callback tokens, in database, log or answer. */
import { afterAll, beforeAll, expect } from 'vitest'
import { audit, auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { CARD, WEBHOOK } from '../support/fixtures/fixture.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
const logLines: string[] = []

beforeAll(async () => {
  stack = await startStack({ env: { LOG_LEVEL: 'trace' }, logLines })
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const MASKED = '411111******1111'
/** Ids, times and durations have any digits by chance. */
const BY_CHANCE = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|"time":\d+|\d+\.\d{3,}/g
const withoutChance = (text: string) => text.replaceAll(BY_CHANCE, '')

/** A security code stands by itself: its few digits are in many a longer number by chance. */
const SECRETS = [
  new RegExp(`(?<![0-9A-Za-z])${CARD.cvv}(?![0-9A-Za-z])`),
  new RegExp(CARD.cardNumber),
  new RegExp(WEBHOOK.notificationAuthToken),
]
const WITH_CARD = FIXTURES.filter(({ card }) => card)

/** Every row of every table, as text. */
const everything = async (): Promise<string[]> => {
  const { db } = stack.app
  const tables = await db.$queryRaw<{ name: string }[]>`
    SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
    WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`
  const texts = await Promise.all(
    tables.map(({ name }) => db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${name} t`)),
  )
  return texts.flat().map(({ row }) => row)
}

const expectNoSecrets = (texts: readonly string[]) => {
  for (const secret of SECRETS) expect(texts.map(withoutChance).filter(text => secret.test(text))).toEqual([])
}

auditInterfaces('SECRET', FIXTURES, [
  [
    '01',
    'MUST leave no security code, card number or callback token in database, log or answer',
    async (fixture, client) => {
      const created = await client.create(stack, fixture, token, fixture.body())
      expect(created).toMatchObject({ status: 201 })
      await stack.settled()
      const rows = await everything()
      expect(rows.some(row => row.includes(created.id!))).toBe(true)
      expectNoSecrets(rows)
      expectNoSecrets([JSON.stringify(created)])
      expect(logLines.length).toBeGreaterThan(0)
      expectNoSecrets(logLines)
    },
  ],
  [
    '02',
    'MUST leave none behind by a request that is refused',
    async (fixture, client) => {
      const bodies = [
        withField(fixture.body(), fixture.phone, '96899999999'),
        withField(fixture.body(), 'webhook.notificationUrl', 'nowhere'),
        withField(fixture.body(), fixture.correlator, 42),
        withField(fixture.body(), fixture.correlator, 'a\u0000b'),
      ]
      for (const body of bodies) {
        const created = await client.create(stack, fixture, token, body)
        expectNoSecrets([JSON.stringify(created)])
      }
      expectNoSecrets(logLines)
      expectNoSecrets(await everything())
    },
  ],
  [
    '03',
    'MUST keep the callback token encrypted, so that it can be sent',
    async (fixture, client) => {
      const { id } = await client.create(stack, fixture, token, fixture.body())
      const [row] = await stack.app.db.$queryRawUnsafe<{ url: string; token: string }[]>(
        `SELECT webhook_url AS url, webhook_token AS token FROM ${fixture.table} WHERE id = $1::uuid`,
        id,
      )
      expect(row!.url).toBe(WEBHOOK.notificationUrl)
      expect(stack.app.access.cipher.decrypt(row!.token)).toBe(WEBHOOK.notificationAuthToken)
    },
  ],
])

auditServices('REST-SECRET', WITH_CARD, [
  [
    '10',
    'MUST return the card number masked and no security code, in create, read and list',
    async ({ path, idField, card, body }) => {
      const rest = restOf(stack)
      const created = await rest('POST', path, { token, body: body() })
      const id = created.body[idField]
      const read = await rest('GET', `${path}/${id}`, { token })
      const list = await rest('GET', `${path}?perPage=1000`, { token })
      const listed = list.body.find((row: Record<string, unknown>) => row[idField] === id)
      for (const response of [created.body, read.body, listed]) {
        const { cvv: _, ...shown } = CARD
        expect(fieldOf(response, card!)).toEqual({ ...shown, cardNumber: MASKED })
      }
    },
  ],
  [
    '11',
    'MUST not quote the body in what it says of malformed JSON',
    async ({ path, body }) => {
      const text = JSON.stringify(body())
      const at = text.indexOf(CARD.cvv) + CARD.cvv.length
      const cut = [text.slice(0, at), text.slice(0, at + 1), `${text.slice(0, at + 1)};${text.slice(at + 1)}`]
      const misplaced = [
        text.replace(`"${CARD.cvv}"`, `"${CARD.cvv}","":}`),
        text.replace(`"${CARD.cvv}"`, `x${CARD.cvv}`),
      ]
      for (const broken of [...cut, ...misplaced]) {
        const response = await restOf(stack)('POST', path, { token, raw: broken })
        expect(response.status).toBe(400)
        expect(response.text).not.toContain(CARD.cvv.slice(-3))
      }
      expect(withoutChance(logLines.join(''))).not.toContain(CARD.cvv)
    },
  ],
])

auditServices('GRAPH-SECRET', WITH_CARD, [
  [
    '20',
    'MUST show the card number masked, and have no field for the security code',
    async ({ path, idField, single, card, body }) => {
      const created = await restOf(stack)('POST', path, { token, body: body() })
      const ask = (leaf: string) => {
        const nested = card!.split('.').reduceRight((inner, name) => `${name} { ${inner} }`, leaf)
        const query = `{ ${single}(${idField}: "${created.body[idField]}") { ${nested} } }`
        return graphOf(stack)(query, { token })
      }
      expect(JSON.stringify((await ask('cardNumber')).data)).toContain(`"${MASKED}"`)
      for (const secret of ['cvv']) {
        const { status, errors } = await ask(secret)
        expect(status).toBe(400)
        expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
      }
    },
  ],
])

/** Ways to be wrong beside or in a security code, for which graphql-js would quote the value. */
const QUOTED: [what: string, details: string, ...variables: unknown[]][] = [
  ['a missing field beside it', '$card', { cardNumber: CARD.cardNumber, cvv: CARD.cvv }],
  ['an unknown field beside it', '$card', { ...CARD, surprise: 1 }],
  ['a number in its place', '$card', { ...CARD, cvv: Number(CARD.cvv) }],
  ['an object in its place', '$card', { ...CARD, cvv: { a: CARD.cvv, b: '; at "x"; y' } }],
  ['a list in its place', '$card', { ...CARD, cvv: [`${CARD.cvv};${CARD.cvv}`] }],
  ['a literal number', `{ authorizationCode: "1", cvv: ${CARD.cvv} }`],
  ['a literal beside a missing field', `{ cvv: "${CARD.cvv}" }`],
  ['a literal text for the details', `"${CARD.cvv}"`],
  ['a syntax error after it', `{ cvv: "${CARD.cvv}" "${CARD.cvv}" }`],
  ['a syntax error in it', `{ cvv ${CARD.cvv} }`],
  ['an unterminated text', `{ cvv: "${CARD.cvv}`],
]

auditServices('GRAPH-SECRET', WITH_CARD, [
  [
    '21',
    'MUST not quote values in what it says of a faulty operation',
    async ({ mutation, card, input }) => {
      for (const [what, details, variable] of QUOTED) {
        const path = card!.split('.')
        const literal = path.reduceRight((inner, name) => `{ ${name}: ${inner} }`, details)
        const query = variable
          ? `mutation ($card: CreditCardDetailsInput!) { ${mutation}(input: ${literal}) { id } }`
          : `mutation { ${mutation}(input: ${literal}) { id } }`
        const response = await graphOf(stack)(query, { token, variables: { card: variable } })
        expect(response.errors.length, what).toBeGreaterThan(0)
        expectNoSecrets(response.errors.map(({ message }) => message))
        const whole = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), variable ?? CARD.cvv)
        const inVariables = await graphOf(stack)(
          `mutation ($i: ${input}!) { ${mutation}(input: $i) { id } }`,
          {
            token,
            variables: { i: whole },
          },
        )
        expect(inVariables.errors.length, what).toBeGreaterThan(0)
        expectNoSecrets(inVariables.errors.map(({ message }) => message))
      }
      expectNoSecrets(logLines)
    },
  ],
])

audit('LOG-SECRET', [
  [
    '01',
    'MUST log neither tokens nor query strings',
    async () => {
      await restOf(stack)('GET', `${READABLE[0]!.path}?clientCorrelatorId=look-for-me`, { token })
      expect(logLines.join('')).not.toContain('look-for-me')
      expect(logLines.join('')).not.toContain(token.slice(-40))
    },
  ],
])
