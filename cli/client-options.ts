/** The options that describe a client, and what the store makes of them. */
import type { Command } from 'commander'
import type { ClientChanges } from '#core/access/client-input.ts'
import type { QuotaTexts } from '#core/access/quotas.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { oneByOne } from '#core/errors/faults.ts'
import { SetupError } from '#core/errors/setup-error.ts'
import { addQuotaOptions, quotasIn } from './client-quotas.ts'

export interface JsonOption {
  json?: boolean
}

export interface ClientOptions extends QuotaTexts, JsonOption {
  name?: string
  phone?: string
  currencies?: string[]
  maxAmount?: string
  monthlyLimit?: string
  maxPoints?: string
  monthlyPoints?: string
  dummyCards?: boolean
}

export const JSON_FLAG = ['--json', 'print one line of JSON'] as const

const readCodes = (list: string) => list.split(',').map(code => code.trim())

/** Adds what a client is described by, to add one or to change it. */
export const addClientOptions = (command: Command): Command =>
  addQuotaOptions(command)
    .option('--name <name>', 'what people call it')
    .option('--phone <number>', 'bind it to this phone number')
    .option('--currencies <codes>', 'what it may pay in, such as OMR,USD', readCodes)
    .option('--max-amount <n>', 'most per transaction')
    .option('--monthly-limit <n>', 'most per customer and calendar month')
    .option('--max-points <n>', 'most points per transaction')
    .option('--monthly-points <n>', 'most points per mobile number and calendar month')
    .option('--dummy-cards', 'card numbers need not be real ones')

/** The fields that these options fill. */
export const fieldsIn = (options: ClientOptions) => ({
  name: options.name,
  phoneNumber: options.phone,
  currencies: options.currencies,
  maxAmount: options.maxAmount,
  monthlyAmount: options.monthlyLimit,
  maxPoints: options.maxPoints,
  monthlyPoints: options.monthlyPoints,
  dummyCards: options.dummyCards,
  quotas: quotasIn(options),
})

/** What takes a limit, or the phone number, away. */
const NONE = 'none'

const orNone = (text: string | undefined) => (text === NONE ? null : text)

/** The changes that these options ask for; `none` takes away what may be absent. */
export const changesIn = (options: ClientOptions): ClientChanges => {
  const fields = fieldsIn(options)
  return {
    ...fields,
    phoneNumber: orNone(fields.phoneNumber),
    maxAmount: orNone(fields.maxAmount),
    monthlyAmount: orNone(fields.monthlyAmount),
    maxPoints: orNone(fields.maxPoints),
    monthlyPoints: orNone(fields.monthlyPoints),
  }
}

/** The options that are called otherwise than the field they fill. */
const OPTION_OF_FIELD: Record<string, string> = { phoneNumber: '--phone', monthlyAmount: '--monthly-limit' }

const optionOf = (field: string) =>
  OPTION_OF_FIELD[field] ?? `--${field.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const byOption = ({ message }: ServiceError) => message.replace(/^\w+/, optionOf)

/** The store names the fields that are wrong; here they are known by their options, a line for each. */
export const asOptions = (error: unknown): never => {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_ARGUMENT') throw error
  const faults = oneByOne(error).map(byOption)
  if (faults.length === 1) throw new SetupError(faults[0])
  throw new SetupError([`${faults.length} options are wrong:`, ...faults.map(one => `  ${one}`)].join('\n'))
}
