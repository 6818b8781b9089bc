/** `clients add|list|rotate|disable`: who may use the interfaces, and within which limits. */
import { type Command, Option } from 'commander'
import type { NewClient } from '../subgraphs/shared/access/client-input.ts'
import { type Clients, type Credentials, createClients } from '../subgraphs/shared/access/clients.ts'
import { ROLES, type Role } from '../subgraphs/shared/access/principal.ts'
import { ServiceError } from '../subgraphs/shared/errors.ts'
import { describeClients } from './client-table.ts'
import { AdministrationError } from './failures.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

interface AddOptions {
  id: string
  role: Role
  name?: string
  phone?: string
  currencies?: string[]
  maxAmount?: string
  monthlyLimit?: string
  maxPoints?: string
  monthlyPoints?: string
  dummyCards?: boolean
  json?: boolean
}

interface JsonOption {
  json?: boolean
}

/** The options that are called otherwise than the field they fill. */
const OPTION_OF_FIELD: Record<string, string> = { phoneNumber: '--phone', monthlyAmount: '--monthly-limit' }

const optionOf = (field: string) =>
  OPTION_OF_FIELD[field] ?? `--${field.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

const newClient = ({ phone, monthlyLimit, json: _, ...same }: AddOptions): NewClient => ({
  ...same,
  phoneNumber: phone,
  monthlyAmount: monthlyLimit,
})

/** The store names the field that is wrong; here it is known by its option. */
const asOption = (error: unknown): never => {
  if (!(error instanceof ServiceError) || error.code !== 'INVALID_ARGUMENT') throw error
  throw new AdministrationError(error.message.replace(/^\w+/, optionOf))
}

const withClients = <T>(run: (clients: Clients) => Promise<T>) =>
  withDatabase(({ prisma }, { countryCode }) => run(createClients(prisma, { countryCode })))

const handOver = (json: boolean | undefined, done: string, credentials: Credentials) =>
  printResult(json, credentials, () =>
    [
      `${done} ${credentials.id} (${credentials.role})`,
      `secret: ${credentials.secret}`,
      'It is shown this once.',
    ].join('\n'),
  )

const add = async (options: AddOptions) => {
  const credentials = await withClients(clients => clients.add(newClient(options)).catch(asOption))
  handOver(options.json, 'added', credentials)
}

const list = async ({ json }: JsonOption) => {
  const clients = await withClients(clients => clients.list())
  printResult(json, clients, () => describeClients(clients))
}

const rotate = async (id: string, { json }: JsonOption) =>
  handOver(json, 'new secret for', await withClients(clients => clients.rotate(id)))

const disable = async (id: string, { json }: JsonOption) => {
  await withClients(clients => clients.disable(id))
  printResult(json, { id, disabled: true }, () => `disabled ${id}`)
}

const JSON_FLAG = ['--json', 'print one line of JSON'] as const

const addAddCommand = (clients: Command) =>
  clients
    .command('add')
    .description('add a client and print its secret, once')
    .requiredOption('--id <id>', 'its client_id')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--name <name>', 'what people call it (default: the id)')
    .option('--phone <number>', 'bind it to this phone number')
    .option('--currencies <codes>', 'what it may pay in, such as OMR,USD (default: OMR)', list =>
      list.split(',').map(code => code.trim()),
    )
    .option('--max-amount <n>', 'most per transaction')
    .option('--monthly-limit <n>', 'most per customer and calendar month')
    .option('--max-points <n>', 'most points per transaction')
    .option('--monthly-points <n>', 'most points per mobile number and calendar month')
    .option('--dummy-cards', 'card numbers need not be real ones')
    .option(...JSON_FLAG)
    .action(add)

/** Adds the group to the program. */
export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('who may use the interfaces')
  addAddCommand(clients)
  clients
    .command('list')
    .description('all clients')
    .option(...JSON_FLAG)
    .action(list)
  clients
    .command('rotate <id>')
    .description('give a new secret')
    .option(...JSON_FLAG)
    .action(rotate)
  clients
    .command('disable <id>')
    .description('refuse it from now on')
    .option(...JSON_FLAG)
    .action(disable)
}
