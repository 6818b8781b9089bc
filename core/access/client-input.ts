/** A new client as the administrator gives it: the checks, and what is kept. */
import type { Client } from '#prisma/generated/client.ts'
import { Faults, together } from '../errors/faults.ts'
import { checkAmount, checkCurrency, checkPoints, currencyDecimals } from '../values/money.ts'
import { parsePhone } from '../values/phone.ts'
import { ROLES, type Role } from './principal.ts'
import { checkQuotas, type QuotaTexts } from './quota-input.ts'
import type { Quotas } from './quotas.ts'

/** Amounts and points as decimal text; what is absent does not bind. */
export interface NewClient {
  id: string
  role: Role
  name?: string
  phoneNumber?: string
  /** ISO 4217 codes; OMR alone when absent. */
  currencies?: readonly string[]
  maxAmount?: string
  monthlyAmount?: string
  maxPoints?: string
  monthlyPoints?: string
  dummyCards?: boolean
  /** Whole numbers; what is absent is the default. */
  quotas?: QuotaTexts
  /** Only where it must be known beforehand, as the demo's; otherwise a new one is made. */
  secret?: string
}

/** What a client may pay in unless it was agreed otherwise. */
export const DEFAULT_CURRENCIES: readonly string[] = ['OMR']

/** Also the forms other issuers use (`abc@clients`, `auth0|123`), but nothing that HTTP Basic would have to encode twice. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._@|~-]{0,127}$/
const A_NAME = '1 to 200 characters without control or direction characters'
const NAME = /^[^\p{Cc}\p{Cf}]{1,200}$/u
/** RFC 6749 appendix A.2, with a least length. */
const SECRET = /^[\x20-\x7e]{8,256}$/

/** Whether a client can have this id at all. */
export const isClientId = (id: string): boolean => ID.test(id)

/** What of a client may be changed: what is absent stays, `null` takes a limit or the phone number away. */
export interface ClientChanges {
  name?: string
  phoneNumber?: string | null
  currencies?: readonly string[]
  maxAmount?: string | null
  monthlyAmount?: string | null
  maxPoints?: string | null
  monthlyPoints?: string | null
  dummyCards?: boolean
  quotas?: QuotaTexts
}

const checkCurrencies = (faults: Faults, codes: readonly string[]): string[] => {
  faults.expect(codes.length > 0, 'currencies', 'TOO_FEW', 'at least one ISO 4217 currency code')
  for (const code of codes) faults.check(() => checkCurrency('currencies', code))
  return [...new Set(codes)]
}

const isCurrency = (code: string) => new Faults().check(() => currencyDecimals(code)) !== undefined

/** A limit holds for each allowed currency, so it may be as fine as the finest of them. */
const finestOf = (currencies: readonly string[]) =>
  currencies.filter(isCurrency).toSorted((a, b) => currencyDecimals(b) - currencyDecimals(a))[0]

type Check = (path: string, value: string) => { toString(): string }

const checkLimit = (faults: Faults, path: string, value: string | null | undefined, check: Check) =>
  typeof value === 'string' ? faults.check(() => check(path, value).toString()) : value

const isName = (name: string) => NAME.test(name)

const checkPhone = (faults: Faults, phone: string | null | undefined, countryCode: string) =>
  typeof phone === 'string' ? faults.check(() => parsePhone('phoneNumber', phone, countryCode)) : phone

/** What a new client and a change have in common. @param own the currencies of the client, unless they are changed. */
const checkFields = (faults: Faults, fields: ClientChanges, own: readonly string[], countryCode: string) => {
  const { name, dummyCards } = fields
  faults.expect(name === undefined || isName(name), 'name', 'BAD_FORMAT', A_NAME)
  const currencies = fields.currencies && checkCurrencies(faults, fields.currencies)
  const finest = finestOf(currencies ?? own) ?? DEFAULT_CURRENCIES[0]!
  const amount: Check = (path, value) => checkAmount(path, value, finest)
  return {
    name,
    phoneNumber: checkPhone(faults, fields.phoneNumber, countryCode),
    currencies,
    maxAmount: checkLimit(faults, 'maxAmount', fields.maxAmount, amount),
    monthlyAmount: checkLimit(faults, 'monthlyAmount', fields.monthlyAmount, amount),
    maxPoints: checkLimit(faults, 'maxPoints', fields.maxPoints, checkPoints),
    monthlyPoints: checkLimit(faults, 'monthlyPoints', fields.monthlyPoints, checkPoints),
    dummyCards,
    quotas: faults.check(() => checkQuotas(fields.quotas ?? {})) ?? {},
  }
}

const checkNames = (faults: Faults, { id, role, secret }: NewClient) => {
  const anId = '1 to 128 letters, digits, or ._@|~- and start with a letter or digit'
  faults.expect(isClientId(id), 'id', 'BAD_FORMAT', anId)
  faults.expect(ROLES.includes(role), 'role', 'UNKNOWN_VALUE', `one of ${ROLES.join(', ')}`)
  const aSecret = '8 to 256 printable ASCII characters'
  faults.expect(SECRET.test(secret ?? 'made-here'), 'secret', 'BAD_FORMAT', aSecret)
}

/** The row to keep, without the secret. Anything not as it must be: 400, each field named. */
export function checkNewClient(client: NewClient, countryCode: string) {
  const fields = together(faults => {
    checkNames(faults, client)
    return checkFields(faults, client, DEFAULT_CURRENCIES, countryCode)
  })
  const { id, role } = client
  return {
    ...fields,
    id,
    role,
    name: client.name ?? id,
    currencies: fields.currencies ?? [...DEFAULT_CURRENCIES],
    dummyCards: client.dummyCards ?? false,
  }
}

/**
 * What of the row changes. Anything not as it must be: 400, each field named.
 * @param record the client as it is.
 */
export function checkChanges(
  changes: ClientChanges,
  { currencies, quotas }: Pick<Client, 'currencies' | 'quotas'>,
  countryCode: string,
) {
  const fields = together(faults => checkFields(faults, changes, currencies, countryCode))
  return { ...fields, quotas: { ...(quotas as Partial<Quotas>), ...fields.quotas } }
}
