/** `doctor`: checks an installation from outside and inside, and says what to do. */
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { type Config, ConfigError, readConfig } from '#core/config/config.ts'
import { ExitCode, errorText, print, printResult, table } from '../output.ts'
import { checkWithin, EXIT_CODES, type Finding, found, overallVerdict } from './finding.ts'
import { checkInside, type Inside } from './inside.ts'
import { type ClientSecret, checkOutside } from './outside.ts'
import { checkIdentityProvider, checkReceiver } from './systems.ts'

interface Options {
  readonly url?: URL
  readonly client?: string
  readonly secretFile?: string
  readonly receiver?: string
  readonly timeout: number
  readonly inside: boolean
  readonly outside: boolean
  readonly json?: boolean
}

const DETAILS = `
Outside: the server at --url lives, is ready, gives tokens, answers its graph and metrics, and its clock is right. Inside, by
the settings here: the database is reached, at the schema of this version, read by SECRETS_KEY; its clock, connections and
disk; what waits, and endpoints that fail. Nothing is changed. Where the server is down, or holds the embedded database, the
rest is checked. Each check has its limit.
The exit code is 0 where all is well, 1 where something is degraded, 2 where something is broken (or the usage is wrong).`

const MOST_SECONDS = 60

const readSeconds = (text: string): number => {
  const seconds = Number(text)
  if (/^\d{1,2}$/.test(text) && seconds >= 1 && seconds <= MOST_SECONDS) return seconds
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SECONDS}.`)
}

const readUrl = (text: string): URL => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text)
  throw new InvalidArgumentError('It must be an http(s) address.')
}

const SETTINGS = 'settings'

/** The settings, or a finding with all of their faults. */
const readSettings = (): Config | Finding => {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [, ...faults] = error.message.split('\n').map(line => line.trim())
    return found.broken(SETTINGS, `A server does not start with the settings here: ${faults.join('; ')}.`)
  }
}

/** A server that listens on all addresses is asked at this machine's own. */
const ownAddress = ({ host, port }: Config): URL => {
  const name = ({ '0.0.0.0': '127.0.0.1', '::': '[::1]' } as Record<string, string>)[host] ?? host
  return new URL(`http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`)
}

/** Options that do not go together. */
class UsageError extends Error {}

const credentialsOf = ({ client, secretFile }: Options): ClientSecret | undefined => {
  if (client === undefined && secretFile === undefined) return undefined
  if (client === undefined || secretFile === undefined)
    throw new UsageError('--client and --secret-file belong together')
  try {
    return { clientId: client, secret: readFileSync(secretFile, 'utf8').trim() }
  } catch (error) {
    throw new UsageError(`--secret-file cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** The server's address is given, or that of the settings; a finding where neither says it. */
const addressOf = ({ url }: Options, config: Config | undefined): URL | Finding => {
  if (url) return url
  if (config && config.port !== 0) return ownAddress(config)
  const why = config ? 'PORT=0 is any free port' : 'the settings are wrong'
  return found.unchecked(
    'server',
    `The address of the server is not known, since ${why}: name it with --url.`,
  )
}

/** Systems that the server calls, as the settings name them. */
const checkSystems = async (config: Config, { receiver }: Options, limitMs: number) => {
  const provider = await checkWithin('identity provider', limitMs + 1_000, () =>
    checkIdentityProvider(config, limitMs),
  )
  if (receiver === undefined) return provider
  const received = await checkWithin('receiver', limitMs + 1_000, () =>
    checkReceiver(config, receiver, limitMs),
  )
  return [...provider, ...received]
}

const NOT_LOOKED_INSIDE: Inside = { findings: [], isRead: false }

/** Runs all checks; the inside first, since metrics stand in for a database that cannot be read. */
async function examine(options: Options): Promise<readonly Finding[]> {
  const credentials = credentialsOf(options)
  const limitMs = options.timeout * 1_000
  const settings = readSettings()
  const config = 'check' in settings ? undefined : settings
  const inside = config && options.inside ? await checkInside(config, limitMs) : NOT_LOOKED_INSIDE
  const outside = async (): Promise<readonly Finding[]> => {
    const url = addressOf(options, config)
    if ('check' in url) return [url]
    const { metricsToken, auth } = config ?? {}
    const hasOutsideIssuer = auth?.jwksUrl !== undefined
    return checkOutside({
      url,
      limitMs,
      credentials,
      metricsToken,
      hasOutsideIssuer,
      readsLags: !inside.isRead,
    })
  }
  return [
    ...('check' in settings ? [settings] : []),
    ...(options.outside ? await outside() : []),
    ...inside.findings,
    ...(config ? await checkSystems(config, options, limitMs) : []),
  ]
}

const textOf = (findings: readonly Finding[]): string => {
  const rows = findings.map(({ status, check, text }) => [status.toUpperCase(), check, text])
  return table(['STATE', 'CHECK', 'FINDING'], rows)
}

/** A fault of the doctor itself must not look like a verdict. */
const ended = (error: unknown): never => {
  process.stderr.write(`error: ${errorText(error)}\n`)
  throw new ExitCode(EXIT_CODES.broken)
}

const doctor = async (options: Options): Promise<void> => {
  const findings = await examine(options).catch(ended)
  const status = overallVerdict(findings)
  printResult(options.json, { status, findings }, () => textOf(findings))
  if (!options.json) print(`\nin all: ${status}`)
  throw new ExitCode(EXIT_CODES[status])
}

/** Adds the command to the program. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check a running installation, and say what to do')
    .addHelpText('after', DETAILS)
    .option('--url <address>', 'of the server, where it is not HOST and PORT of the settings', readUrl)
    .option('--client <id>', 'a client to ask for a token and the graph with')
    .option('--secret-file <file>', 'with its secret')
    .option('--receiver <address>', 'a webhook receiver whose time to answer is measured')
    .option('--timeout <seconds>', `limit of each check, at most ${MOST_SECONDS}`, readSeconds, 5)
    .option('--no-inside', 'leave out the database')
    .option('--no-outside', 'leave out the server')
    .option('--json', 'print one line of JSON')
    .action(doctor)
}
