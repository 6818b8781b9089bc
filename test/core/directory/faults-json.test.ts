/** Every rule of the import, by the fault that breaking it gives; no database is needed to find them. */
import { describe, expect, it } from 'vitest'
import { failure, json, PHONE } from './failure.ts'

const account = (fields: object) => ({ accounts: [{ customerAccountNumber: '1', ...fields }] })
const line = (fields: object) => account({ lines: [{ kind: 'phone', number: '91000001', ...fields }] })

const ACCOUNT = 'accounts[0]'
const LINE = 'accounts[0].lines[0]'
const AMOUNT = 'must be a decimal number with at most 12 digits before and 3 after the point'
const POINTS = 'must be a decimal number of 0 or more, with at most 2 digits after the point'
const TEXT = 'must be readable UTF-8 text'

describe('JSON faults', () => {
  it.each<[id: string, file: unknown, fault: string]>([
    ['DIR-01 an array instead of an object', [], 'The file must be an object with the array "accounts"'],
    ['DIR-02 no accounts', {}, 'The file must be an object with the array "accounts"'],
    ['DIR-03 an account that is no object', { accounts: [7] }, `${ACCOUNT} must be an object`],
    ['DIR-04 lines that are no array', account({ lines: {} }), `${ACCOUNT}.lines must be an array`],
    ['DIR-05 a line that is no object', account({ lines: [null] }), `${LINE} must be an object`],
    ['DIR-06 no account number', { accounts: [{}] }, `${ACCOUNT}.customerAccountNumber is required`],
    [
      'DIR-07 an account number that is a number',
      account({ customerAccountNumber: 1 }),
      `${ACCOUNT}.customerAccountNumber must be a text`,
    ],
    [
      'DIR-08 an account number too long',
      account({ customerAccountNumber: '1'.repeat(65) }),
      `${ACCOUNT}.customerAccountNumber must not be longer than 64 characters`,
    ],
    ['DIR-09 a blank name', account({ customerName: '  ' }), `${ACCOUNT}.customerName must not be blank`],
    ['DIR-10 a NUL', account({ customerName: 'a\u0000b' }), `${ACCOUNT}.customerName ${TEXT}`],
    ['DIR-11 half a surrogate pair', account({ customerName: '\ud800' }), `${ACCOUNT}.customerName ${TEXT}`],
    ['DIR-12 another encoding', account({ customerName: 'Z\ufffdrich' }), `${ACCOUNT}.customerName ${TEXT}`],
    [
      'DIR-13 a status in small letters',
      account({ customerStatus: 'active' }),
      `${ACCOUNT}.customerStatus must be one of ACTIVE, PENDING, NEW`,
    ],
    [
      'DIR-14 an unknown type',
      account({ customerType: 10 }),
      `${ACCOUNT}.customerType must be one of 9, 11, 12, 14, 200, 203`,
    ],
    [
      'DIR-15 an unknown indicator',
      account({ collectionIndicator: 'NO' }),
      `${ACCOUNT}.collectionIndicator must be one of ACCOUNT IN COLLECTIONS, ACCOUNT NOT IN COLLECTIONS`,
    ],
    ['DIR-16 dues of 4 decimals', account({ totalDues: 1.2345 }), `${ACCOUNT}.totalDues ${AMOUNT}`],
    ['DIR-17 dues of 13 digits', account({ totalDues: 1e12 }), `${ACCOUNT}.totalDues ${AMOUNT}`],
    ['DIR-18 dues with a comma', account({ totalDues: '1,000' }), `${ACCOUNT}.totalDues ${AMOUNT}`],
    [
      'DIR-19 an unknown field',
      account({ customerNmae: 'x' }),
      `${ACCOUNT}.customerNmae is not a field of the directory`,
    ],
    ['DIR-20 no kind', line({ kind: undefined }), `${LINE}.kind is required`],
    [
      'DIR-21 an unknown kind',
      line({ kind: 'fax' }),
      `${LINE}.kind must be one of phone, fixedline, internetAccount`,
    ],
    ['DIR-22 no number', line({ number: null }), `${LINE}.number is required`],
    ['DIR-23 not a phone number', line({ number: '9100' }), `${LINE}.number ${PHONE}`],
    ['DIR-24 not a fixed line', line({ kind: 'fixedline', number: 'home' }), `${LINE}.number ${PHONE}`],
    [
      'DIR-25 an internet account too long',
      line({ kind: 'internetAccount', number: 'x'.repeat(65) }),
      `${LINE}.number must not be longer than 64 characters`,
    ],
    ['DIR-26 neither active nor not', line({ active: 'maybe' }), `${LINE}.active must be true or false`],
    [
      'DIR-27 a prepaid balance of 4 decimals',
      line({ prepaidBalance: 0.0001 }),
      `${LINE}.prepaidBalance ${AMOUNT}`,
    ],
    ['DIR-28 negative points', line({ pointsBalance: -1 }), `${LINE}.pointsBalance ${POINTS}`],
    ['DIR-29 points of 3 decimals', line({ pointsBalance: 1.125 }), `${LINE}.pointsBalance ${POINTS}`],
    [
      'DIR-30 points of a fixed line',
      line({ kind: 'fixedline', number: '24000001', pointsBalance: 1 }),
      `${LINE}.pointsBalance is for phone lines only`,
    ],
    [
      'DIR-31 an unknown field of a line',
      line({ nubmer: '1' }),
      `${LINE}.nubmer is not a field of the directory`,
    ],
    [
      'DIR-32 an account twice',
      { accounts: [{ customerAccountNumber: '1' }, { customerAccountNumber: ' 1' }] },
      'accounts[1].customerAccountNumber is the same as that of accounts[0]',
    ],
    [
      'DIR-33 a line in two accounts, written in two ways',
      {
        accounts: [
          { customerAccountNumber: '1', lines: [{ kind: 'phone', number: '91000001' }] },
          { customerAccountNumber: '2', lines: [{ kind: 'phone', number: '+96891000001' }] },
        ],
      },
      'accounts[1].lines[0].number is the same phone as accounts[0].lines[0].number',
    ],
  ])('%s', async (_, file, fault) => {
    expect((await failure(json(file))).issues).toEqual([fault])
  })

  it.each([
    [
      'DIR-34a a token too many',
      '{"accounts": [\n}',
      /^The file is not JSON: Unexpected token '}', .*"accounts": \[ }/,
    ],
    ['DIR-34b cut off', '{"accounts": [', /^The file is not JSON: /],
  ])('%s', async (_, text, fault) => {
    expect((await failure(json(text))).issues).toEqual([expect.stringMatching(fault)])
  })

  it('DIR-35 reports every fault at once, the first hundred by name', async () => {
    const accounts = Array.from({ length: 130 }, (_, index) => ({
      customerAccountNumber: `${index}`,
      customerType: 1,
    }))
    const { issues: faults, more, message } = await failure(json({ accounts }))
    expect([faults.length, more]).toEqual([100, 30])
    expect(message).toMatch(/^Nothing was imported, the file has 130 fault\(s\):\n/)
    expect(message).toMatch(/\n {2}accounts\[99\]\.customerType .*\n {2}and 30 more$/)
  })
})
