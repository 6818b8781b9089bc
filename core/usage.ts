/** The text that `--help` and `--version` print instead of starting. */
import { VERSION } from './config/project-files.ts'

const SETTINGS = `
Settings are environment variables; docs/settings.md lists them all. The most common ones:
  PORT, HOST      where it listens
  DATABASE_URL    PostgreSQL; unset: the embedded database in DATA_DIR (.data)
  SECRETS_KEY     32 bytes in base64, required on PostgreSQL (make one with: openssl rand -base64 32)
  DEMO            1: put demo clients and data into an empty database
  SUBGRAPH_URLS   name=url, comma-separated: services that run as processes of their own
  SUPERGRAPH      another supergraph, a file or an address
  LOG_LEVEL       fatal, error, warn, info, debug, trace, silent
Bad settings stop the start, all of them named at once. SIGTERM ends it once what is in flight is finished.

Administration: npm run cli -- --help`

/**
 * Prints the text for `--help` or `--version`, or refuses words that the command does not take: a setting that was given as
 * one would be passed over in silence. Exit code 1 says that words were refused.
 * @param usage the command and its purpose in a sentence.
 * @param taken number of words that the command takes.
 * @returns whether there is nothing more to do.
 */
export function printUsage(
  usage: string,
  args: readonly string[] = process.argv.slice(2),
  taken = 0,
): boolean {
  const isAsked = (...flags: string[]) => args.some(arg => flags.includes(arg))
  if (isAsked('--help', '-h')) console.log(`${usage}\n${SETTINGS}`)
  else if (isAsked('--version')) console.log(VERSION)
  else if (args.length > taken) {
    const [command] = usage.split('\n')
    console.error(
      `There is no ${args.slice(taken).join(' ')} to give: it is "${command}", with settings as environment variables (--help tells more)`,
    )
    process.exitCode = 1
  } else return false
  return true
}
