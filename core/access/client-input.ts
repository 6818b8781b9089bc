/** Input of the administrator for a new client or a change: its checks, and the row to store. */
import type { Client } from '#prisma/generated/client.ts'
import { Faults, together } from '../errors/faults.ts'
import { checkAmount, checkCurrency, checkPoints, currencyDecimals } from '../values/money.ts'
import { parsePhone } from '../values/phone.ts'
import { checkQuotas, type Quotas, type QuotaTexts, ROLES, type Role } from './principal.ts'

/** A new client; amounts and points are decimal text, and an absent limit does not bind. */
export interface NewClient {
  id: string
  role: Role
  name?: string
  phoneNumber?: string
  /** Currencies by their ISO 4217 codes; OMR alone when absent. */
  currencies?: readonly string[]
  maxAmount?: string
  monthlyAmount?: string
  maxPoints?: string
  monthlyPoints?: string
  dummyCards?: boolean
  /** Quotas as whole numbers; an absent one has its default. */
  quotas?: QuotaTexts
  /** Secret that must be known in advance, like the demo's; a new one is made unless given. */
  secret?: string
}

/** Currencies of a client without any of its own. */
export const DEFAULT_CURRENCIES: readonly string[] = ['OMR']

/**
 * Form of client ids: includes those of other issuers (`abc@clients`, `auth0|123`), but no character that HTTP Basic
 * encodes twice.
 */
const ID = /^[A-Za-z0-9][A-Za-z0-9._@|~-]{0,127}$/
const A_NAME = '1 to 200 characters without control or direction characters'
const NAME = /^[^\p{Cc}\p{Cf}]{1,200}$/u
/** Characters of a secret (RFC 6749 appendix A.2), with a minimum length. */
const SECRET = /^[\x20-\x7e]{8,256}$/

/** Whether a client can have this id at all. */
export const isClientId = (id: string): boolean => ID.test(id)

/** Changes of a client: an absent field stays, `null` removes a limit or the phone number. */
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

/** The currency with the most decimals: a limit holds for each currency, so it may have as many. */
const finestOf = (currencies: readonly string[]) =>
  currencies.filter(isCurrency).toSorted((a, b) => currencyDecimals(b) - currencyDecimals(a))[0]

type Check = (path: string, value: string) => { toString(): string }

const checkLimit = (faults: Faults, path: string, value: string | null | undefined, check: Check) =>
  typeof value === 'string' ? faults.check(() => check(path, value).toString()) : value

const checkPhone = (faults: Faults, phone: string | null | undefined, countryCode: string) =>
  typeof phone === 'string' ? faults.check(() => parsePhone('phoneNumber', phone, countryCode)) : phone

/** Checks the fields of a new client or a change. @param own currencies of the client, unless they are changed. */
const checkFields = (faults: Faults, fields: ClientChanges, own: readonly string[], countryCode: string) => {
  const { name, dummyCards } = fields
  faults.expect(name === undefined || NAME.test(name), 'name', 'BAD_FORMAT', A_NAME)
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

/** Checks a new client. @returns the row without the secret. @throws ServiceError INVALID_ARGUMENT naming each wrong field. */
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
 * Checks changes of a client, given as it is now.
 * @returns the changes of its row.
 * @throws ServiceError INVALID_ARGUMENT naming each wrong field.
 */
export function checkChanges(
  changes: ClientChanges,
  { currencies, quotas }: Pick<Client, 'currencies' | 'quotas'>,
  countryCode: string,
) {
  const fields = together(faults => checkFields(faults, changes, currencies, countryCode))
  return { ...fields, quotas: { ...(quotas as Partial<Quotas>), ...fields.quotas } }
}
