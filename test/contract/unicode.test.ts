/** Text that no database can hold is refused by name; everything else of Unicode is the client's own and comes back as sent. */
import { afterAll, beforeAll, expect } from 'vitest'
import { textsIn } from '#core/values/json.ts'
import { auditInterfaces, auditServices } from '../support/audit.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { fieldOf, withField } from '../support/fields.ts'
import { FIXTURES, READABLE } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
let token: string
beforeAll(async () => {
  stack = await startStack()
  token = await stack.token()
})
afterAll(() => stack[Symbol.asyncDispose]())

const UNFIT = { 'U+0000': 'a\u0000b', 'a high surrogate': 'a\ud83d', 'a low surrogate': '\ude00a' }

/** Right-to-left and back, an isolate, a joiner, a combining mark, a private character. */
const WORLDLY = '\u202eabc\u202c \u2068فاتورة\u2069 👨\u200d👩 e\u0301 \ue000'

/** Whether a field is free text: others are words of a list, or are checked more closely before. */
const isFree = (path: string) => !/paymentMethod|cardType|expiryTime/.test(path)

auditInterfaces('UNICODE', FIXTURES, [
  [
    '01',
    'MUST answer 400, naming the text, to what no database can hold',
    async (fixture, client) => {
      const paths = [...textsIn(fixture.body())].map(([path]) => path).filter(isFree)
      for (const path of paths)
        for (const [what, text] of Object.entries(UNFIT)) {
          const created = await client.create(stack, fixture, token, withField(fixture.body(), path, text))
          expect(created, `${path} ${what}`).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
          if (client.id === 'REST') expect(created.message).toContain(`${path} must`)
        }
    },
  ],
])

const TEXT: Record<string, string> = {
  'postpaid-billing': 'paymentTransaction.paymentInfo.paymentMetaData.merchantName',
  prepaid: 'rechargeTransaction.rechargeInfo.rechargeMetaData.merchantName',
  loyalty: 'rewardTransaction.rewardMetaData.merchantName',
  redemption: 'redemptionTransaction.redemptionMetaData.merchantName',
}

auditServices('REST-UNICODE', READABLE, [
  [
    '02',
    'MUST keep marks of direction, joiners and whatever else a client writes',
    async ({ name, path, idField, body, group }) => {
      const sent = withField(body(), TEXT[name]!, WORLDLY)
      const { body: created } = await restOf(stack)('POST', path, { token, body: sent })
      const { body: read } = await restOf(stack)('GET', `${path}/${created[idField]}`, { token })
      expect(fieldOf(read, TEXT[name]!)).toBe(WORLDLY)
      expect(group && read[group]).toBeDefined()
    },
  ],
  [
    '03',
    'MUST answer OUT_OF_RANGE to a correlator in a list that no database can hold',
    async ({ path }) => {
      const { status, body } = await restOf(stack)('GET', `${path}?clientCorrelatorId=a%00b`, { token })
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'OUT_OF_RANGE' })
      expect(body.message).toContain('clientCorrelatorId must')
    },
  ],
])

auditServices('GRAPH-UNICODE', FIXTURES, [
  [
    '04',
    'MUST name the field of a filter that no database can hold, or that is longer than any reference',
    async ({ list }) => {
      for (const name of ['customerAccountNumber', 'clientCorrelatorId', 'referenceCode'])
        for (const text of [...Object.values(UNFIT), 'r'.repeat(257)]) {
          const query = `query ($text: String!) { ${list}(filter: { ${name}: $text }) { nodes { id } } }`
          const { errors } = await graphOf(stack)(query, { token, variables: { text } })
          expect(errors[0]!.extensions.code).toBe('INVALID_ARGUMENT')
          expect(errors[0]!.message).toContain(`filter.${name} must`)
        }
    },
  ],
])
