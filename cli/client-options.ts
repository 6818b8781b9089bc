/** The options that describe a client and its quotas, the fields that they fill, and clients as text. */
import type { Command } from 'commander'
import type { ClientChanges } from '#core/access/client-input.ts'
import type { PublicClient } from '#core/access/clients.ts'
import { QUOTA_NAMES, type Quotas, type QuotaTexts } from '#core/access/principal.ts'
import { ServiceError, SetupError } from '#core/errors/catalogue.ts'
import { oneByOne } from '#core/errors/faults.ts'
import { table } from './output.ts'

export interface JsonOption {
  json?: boolean
}

export interface ClientFlags extends QuotaTexts, JsonOption {
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

/** Adds the options that describe a client, to add one or to change it. */
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
export const fieldsIn = (options: ClientFlags) => ({
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

/** The value that removes a limit, or the phone number. */
const NONE = 'none'

const orNone = (text: string | undefined) => (text === NONE ? null : text)

/** The changes that these options ask for; `none` takes away what may be absent. */
export const changesIn = (options: ClientFlags): ClientChanges => {
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

/** Options whose name differs from that of their field. */
const OPTION_OF_FIELD: Record<string, string> = { phoneNumber: '--phone', monthlyAmount: '--monthly-limit' }

const optionOf = (field: string) =>
  OPTION_OF_FIELD[field] ?? `--${field.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const byOption = ({ message }: ServiceError) => message.replace(/^\w+/, optionOf)

/** Throws a refusal again with the options of its wrong fields in place of the fields, a line for each. */
export const asOptions = (error: unknown): never => {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_ARGUMENT') throw error
  const faults = oneByOne(error).map(byOption)
  if (faults.length === 1) throw new SetupError(faults[0])
  throw new SetupError([`${faults.length} options are wrong:`, ...faults.map(one => `  ${one}`)].join('\n'))
}

const QUOTA_OPTIONS: Record<keyof Quotas, readonly [flag: string, description: string]> = {
  requestsInFlight: ['--requests-in-flight <n>', 'most requests at the same time, of one process'],
  requestsPerSecond: ['--requests-per-second <n>', 'most requests a second, of one process'],
  costPerMinute: ['--cost-per-minute <n>', 'most fields of graph operations a minute, of one process'],
  openStreams: ['--open-streams <n>', 'most open connections, to one process'],
  webhooksInFlight: ['--webhooks-in-flight <n>', 'most webhooks sent at the same time, by one process'],
  explainedPerMinute: [
    '--explained-per-minute <n>',
    'most explained operations a minute, of one process; portals and analysts',
  ],
}

/** Adds an option for each quota. */
export const addQuotaOptions = (command: Command): Command => {
  for (const option of Object.values(QUOTA_OPTIONS)) command.option(...(option as [string, string]))
  return command
}

/** Selects the quotas among a command's options. */
export const quotasIn = (options: QuotaTexts): QuotaTexts =>
  Object.fromEntries(
    QUOTA_NAMES.filter(name => options[name] !== undefined).map(name => [name, options[name]]),
  )

/** Quotas as one line, by the names of their options. */
export const quotasText = (quotas: Partial<Quotas>): string =>
  QUOTA_NAMES.filter(name => quotas[name] !== undefined)
    .map(name => `${QUOTA_OPTIONS[name][0].slice(2, -4)} ${quotas[name]}`)
    .join(', ')

const limitsText = (client: PublicClient) =>
  [
    client.maxAmount && `max-amount ${client.maxAmount}`,
    client.monthlyAmount && `monthly-limit ${client.monthlyAmount}`,
    client.maxPoints && `max-points ${client.maxPoints}`,
    client.monthlyPoints && `monthly-points ${client.monthlyPoints}`,
    client.dummyCards && 'dummy-cards',
    quotasText(client.quotas as Partial<Quotas>),
  ]
    .filter(Boolean)
    .join(', ')

const stateText = ({ disabledAt }: PublicClient) =>
  disabledAt ? `disabled ${disabledAt.toISOString()}` : 'active'

const row = (client: PublicClient) => [
  client.id,
  client.role,
  client.name,
  client.phoneNumber ?? '-',
  client.currencies.join(','),
  limitsText(client) || '-',
  stateText(client),
]

const HEADINGS = ['ID', 'ROLE', 'NAME', 'PHONE', 'CURRENCIES', 'LIMITS', 'STATE']

/** Table of clients, one line for each. */
export const describeClients = (clients: readonly PublicClient[]): string => table(HEADINGS, clients.map(row))

/** One client, a line for each of the headings. */
export const describeClient = (client: PublicClient): string => {
  const cells = row(client).map((cell, index) => [HEADINGS[index]!.toLowerCase(), cell])
  const lines = [...cells, ['added', client.createdAt.toISOString()]]
  return lines.map(([name, text]) => `${name!.padEnd(15)}${text}`).join('\n')
}
