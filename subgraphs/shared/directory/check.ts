/** Checks every row of an import and packs the good ones into batches, ready for one statement each. */
import { ServiceError } from '../errors.ts'
import { parsePhone } from '../values/phone.ts'
import { ACCOUNT_FIELDS, LINE_FIELDS, type Rule, Wrong } from './fields.ts'
import { Packer } from './packer.ts'
import { type AccountRow, Faults, type LineRow, type Row, type Rows } from './rows.ts'

type Values<Fields> = { [Field in keyof Fields]: string | number | boolean | null }
type AccountValues = Values<typeof ACCOUNT_FIELDS>
type LineValues = Values<typeof LINE_FIELDS>
type CheckedRow = AccountRow | LineRow

/** How often progress is told: often enough to look alive, seldom enough to cost nothing. */
const TELL_EVERY = 1_000

class Checker {
  readonly faults = new Faults()
  readonly packer = new Packer()
  readonly #accounts = new Map<unknown, { place: string; values: AccountValues }>()
  readonly #lines = new Map<string, string>()
  readonly #countryCode: string
  #account: string | number | boolean | null = null

  constructor(countryCode: string) {
    this.#countryCode = countryCode
  }

  take(row: Row): void {
    if (row.of === 'fault') this.faults.add(row.fault)
    else if (row.of === 'account') this.#takeAccount(row)
    else this.#takeLine(row)
  }

  #takeAccount(row: AccountRow): void {
    const values = this.#read(row, ACCOUNT_FIELDS)
    this.#account = values.customerAccountNumber
    const first = this.#accounts.get(this.#account)
    if (first) return this.#compare(row, values, first)
    if (this.#account === null) return
    this.#accounts.set(this.#account, { place: row.at(), values })
    this.packer.addAccount(values)
  }

  /** A row that repeats an account may leave its fields out, but not contradict them. */
  #compare(row: AccountRow, values: AccountValues, first: { place: string; values: AccountValues }): void {
    const number = row.at('customerAccountNumber')
    if (!row.repeatable) return this.faults.add(`${number} is the same as that of ${first.place}`)
    for (const field of Object.keys(values) as (keyof AccountValues)[]) {
      const differs = values[field] !== null && values[field] !== first.values[field]
      if (differs) this.faults.add(`${row.at(field)} differs from that of the same account at ${first.place}`)
    }
  }

  #takeLine(row: LineRow): void {
    const values = this.#read(row, LINE_FIELDS)
    if (values.kind === null || values.number === null) return
    if (values.kind !== 'internetAccount') values.number = this.#phone(row, String(values.number))
    if (values.kind !== 'phone') this.#refuseBalances(row, values)
    const key = `${values.kind} ${values.number}`
    const first = this.#lines.get(key)
    if (first) return this.faults.add(`${row.at('number')} is the same ${values.kind} as at ${first}`)
    this.#lines.set(key, row.at('number'))
    this.packer.addLine({ ...values, accountNumber: this.#account })
  }

  #refuseBalances(row: LineRow, values: LineValues): void {
    for (const field of ['prepaidBalance', 'pointsBalance'] as const) {
      if (values[field] !== null) this.faults.add(`${row.at(field)} is for phone lines only`)
    }
  }

  #phone(row: LineRow, text: string): string {
    try {
      return parsePhone(row.at('number'), text, this.#countryCode)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.faults.add(error.message)
      return text
    }
  }

  #read<Fields extends Record<string, Rule>>(row: CheckedRow, fields: Fields): Values<Fields> {
    for (const name in row.values) {
      if (!Object.hasOwn(fields, name)) this.faults.add(`${row.at(name)} is not a field of the directory`)
    }
    const entries = Object.entries(fields).map(([name, rule]) => [name, this.#value(row, name, rule)])
    return Object.fromEntries(entries) as Values<Fields>
  }

  #value(row: CheckedRow, name: string, rule: Rule): string | number | boolean | null {
    try {
      return rule(row.values[name])
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      this.faults.add(`${row.at(name)} ${error.message}`)
      return null
    }
  }
}

/**
 * Checks all rows, whether or not some are wrong, so that one run finds every fault.
 * @throws ImportError with the faults.
 */
export async function checkRows(rows: Rows, countryCode: string, tell: (done: number) => void) {
  const checker = new Checker(countryCode)
  let done = 0
  for await (const row of rows) {
    checker.take(row)
    if (++done % TELL_EVERY === 0) tell(done)
  }
  checker.faults.throwIfAny()
  return checker.packer.finish()
}
