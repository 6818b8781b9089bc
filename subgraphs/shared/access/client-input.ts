/** A new client as the administrator gives it: the checks, and what is kept. */
import { invalid } from '../errors/catalogue.ts'
import { checkAmount, checkCurrency, checkPoints, currencyDecimals } from '../values/money.ts'
import { parsePhone } from '../values/phone.ts'
import { ROLES, type Role } from './principal.ts'
import { checkQuotas, type QuotaTexts } from './quota-input.ts'

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
const NAME = /^[^\p{Cc}\p{Cf}]{1,200}$/u
/** RFC 6749 appendix A.2, with a least length. */
const SECRET = /^[\x20-\x7e]{8,256}$/

/** Whether a client can have this id at all. */
export const isClientId = (id: string): boolean => ID.test(id)

const check = (holds: boolean, path: string, what: string) => {
  if (!holds) throw invalid(`${path} must be ${what}`)
}

const checkCurrencies = (codes: readonly string[]): string[] => {
  check(codes.length > 0, 'currencies', 'at least one ISO 4217 currency code')
  for (const code of codes) checkCurrency('currencies', code)
  return [...new Set(codes)]
}

/** A limit holds for each allowed currency, so it may be as fine as the finest of them. */
const amountLimit = (path: string, amount: string | undefined, currencies: readonly string[]) => {
  const [finest] = currencies.toSorted((a, b) => currencyDecimals(b) - currencyDecimals(a))
  return amount === undefined ? undefined : checkAmount(path, amount, finest!).toString()
}

const pointLimit = (path: string, points: string | undefined) =>
  points === undefined ? undefined : checkPoints(path, points).toString()

const checkNames = ({ id, role, name, secret }: NewClient) => {
  check(isClientId(id), 'id', '1 to 128 letters, digits, or ._@|~- and start with a letter or digit')
  check(ROLES.includes(role), 'role', `one of ${ROLES.join(', ')}`)
  check(NAME.test(name ?? id), 'name', '1 to 200 characters without control or direction characters')
  check(SECRET.test(secret ?? 'made-here'), 'secret', '8 to 256 printable ASCII characters')
}

/** The row to keep, without the secret. Anything not as it must be: 400, naming the field. */
export function checkNewClient(client: NewClient, countryCode: string) {
  checkNames(client)
  const { id, role, phoneNumber } = client
  const currencies = checkCurrencies(client.currencies ?? DEFAULT_CURRENCIES)
  return {
    id,
    role,
    name: client.name ?? id,
    phoneNumber: phoneNumber && parsePhone('phoneNumber', phoneNumber, countryCode),
    currencies,
    maxAmount: amountLimit('maxAmount', client.maxAmount, currencies),
    monthlyAmount: amountLimit('monthlyAmount', client.monthlyAmount, currencies),
    maxPoints: pointLimit('maxPoints', client.maxPoints),
    monthlyPoints: pointLimit('monthlyPoints', client.monthlyPoints),
    dummyCards: client.dummyCards ?? false,
    quotas: checkQuotas(client.quotas ?? {}),
  }
}
