/** Checks every row of an import and packs the good ones into batches, ready for one round of statements each. */
import { ACCOUNT_FIELDS, LINE_FIELDS, type Value } from './fields.ts'
import { type Batch, Packer } from './packer.ts'
import { readFields, readPhone } from './read-fields.ts'
import { type AccountRow, Faults, type LineRow, type Row, type Rows } from './rows.ts'

type AccountValues = Record<keyof typeof ACCOUNT_FIELDS, Value>
type LineValues = Record<keyof typeof LINE_FIELDS, Value>

/** An account's first row, for those that name it again. */
interface First {
  readonly place: string
  readonly values: AccountValues
}

/** How often progress is told: often enough to look alive, seldom enough to cost nothing. */
const TELL_EVERY = 1_000

class Checker {
  readonly faults = new Faults()
  readonly packer = new Packer()
  readonly #countryCode: string
  readonly #accounts = new Map<Value, First>()
  readonly #lines = new Map<string, string>()
  #account: Value = null

  constructor(countryCode: string) {
    this.#countryCode = countryCode
  }

  take(row: Row): void {
    if (row.of === 'fault') this.faults.add(row.fault)
    else if (row.of === 'account') this.#takeAccount(row)
    else this.#takeLine(row)
  }

  #takeAccount(row: AccountRow): void {
    const values = readFields(row, ACCOUNT_FIELDS, this.faults)
    this.#account = values.customerAccountNumber
    const first = this.#accounts.get(this.#account)
    if (first) this.#compare(row, values, first)
    else if (this.#account !== null) {
      this.#accounts.set(this.#account, { place: row.at(), values })
      this.packer.addAccount(values)
    }
  }

  /** A row that repeats an account may leave its fields out, but not contradict them. */
  #compare(row: AccountRow, values: AccountValues, first: First): void {
    if (!row.repeatable)
      this.faults.add(`${row.at('customerAccountNumber')} is the same as that of ${first.place}`)
    else {
      const names = Object.keys(values) as (keyof AccountValues)[]
      const differing = names.filter(name => values[name] !== null && values[name] !== first.values[name])
      for (const name of differing)
        this.faults.add(`${row.at(name)} differs from that of the same account at ${first.place}`)
    }
  }

  #takeLine(row: LineRow): void {
    const values = readFields(row, LINE_FIELDS, this.faults)
    if (values.kind !== null && values.kind !== 'phone') this.#refuseBalances(row, values)
    const number = this.#numberOf(row, values)
    if (number !== null) this.#addLine(row, { ...values, number })
  }

  #numberOf(row: LineRow, { kind, number }: LineValues): Value {
    if (kind === null || number === null) return null
    return kind === 'internetAccount' ? number : readPhone(row, `${number}`, this.#countryCode, this.faults)
  }

  #addLine(row: LineRow, values: LineValues): void {
    const key = `${values.kind} ${values.number}`
    const first = this.#lines.get(key)
    if (first) this.faults.add(`${row.at('number')} is the same ${values.kind} as ${first}`)
    else {
      this.#lines.set(key, row.at('number'))
      this.packer.addLine({ ...values, accountNumber: this.#account })
    }
  }

  #refuseBalances(row: LineRow, values: LineValues): void {
    for (const name of ['prepaidBalance', 'pointsBalance'] as const) {
      if (values[name] !== null) this.faults.add(`${row.at(name)} is for phone lines only`)
    }
  }
}

/**
 * Checks all rows, also after a faulty one, so that one run finds every fault.
 * @throws ImportError with the faults.
 */
export async function checkRows(
  rows: Rows,
  countryCode: string,
  tell: (done: number) => void,
): Promise<Batch[]> {
  const checker = new Checker(countryCode)
  let done = 0
  for await (const row of rows) {
    checker.take(row)
    done += 1
    if (done % TELL_EVERY === 0) tell(done)
  }
  checker.faults.throwIfAny()
  return checker.packer.finish()
}
