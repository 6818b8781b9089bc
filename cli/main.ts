/** The administration command line: `npm run cli -- <command>`. Exit code 1 is a failure, 2 wrong usage. */
import { Command, CommanderError } from 'commander'
import { VERSION } from '#core/config/project-files.ts'
import { addChargingCommands } from './charging.ts'
import { addClientCommands } from './clients.ts'
import { addDirectoryCommands } from './directory.ts'
import { addInstallationCommands } from './installation.ts'
import { errorText } from './output.ts'
import { addActivityCommands, addExportCommands } from './timeline.ts'
import { addWebhookCommands } from './webhooks.ts'

const SETTINGS = `
It works on the database that the server uses: DATABASE_URL, or the embedded one in DATA_DIR (.data).
The embedded database serves one process at a time, so stop the server first.`

const createProgram = () => {
  const program = new Command('cli')
    .description('Administration of partner-graph')
    .version(VERSION)
    .addHelpText('after', SETTINGS)
    .exitOverride()
  addClientCommands(program)
  addDirectoryCommands(program)
  addWebhookCommands(program)
  addActivityCommands(program)
  addExportCommands(program)
  addChargingCommands(program)
  addInstallationCommands(program)
  return program
}

const exitCodeOf = (error: unknown) => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  process.stderr.write(`error: ${errorText(error)}\n`)
  return 1
}

/** Runs one command; returns the exit code. */
export const runCommand = (args: readonly string[]): Promise<number> =>
  createProgram()
    .parseAsync(args, { from: 'user' })
    .then(() => 0, exitCodeOf)

// Tests run commands in their own process.
if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2))
