/** The administration command line: `npm run cli -- <command>`. Exit code 1 is a failure, 2 wrong usage. */
import { Command, CommanderError } from 'commander'
import { VERSION } from '#core/config/project-files.ts'
import { addAuditCommands } from './audit.ts'
import { addChargingCommands } from './charging.ts'
import { addClientCommands } from './clients.ts'
import { addDatabaseCommands } from './database.ts'
import { addDirectoryCommands } from './directory.ts'
import { addDoctorCommand } from './doctor/doctor.ts'
import { addInstallationCommands } from './installation.ts'
import { addJourneyCommand } from './journey.ts'
import { addKeyCommands } from './keys.ts'
import { ExitCode, errorText } from './output.ts'
import { addSchemaCommands } from './schema.ts'
import { addActivityCommands, addExportCommands } from './timeline.ts'
import { addWebhookCommands } from './webhooks.ts'

const SETTINGS = `
It works on the database that the server uses: DATABASE_URL, or the embedded one in DATA_DIR (.data).
The embedded database serves one process at a time, so stop the server first, but for backup.`

const createProgram = () => {
  const program = new Command('cli')
    .description('Administration of partner-graph')
    .version(VERSION)
    .addHelpText('after', SETTINGS)
    .exitOverride()
  addClientCommands(program)
  addDirectoryCommands(program)
  addWebhookCommands(program)
  addJourneyCommand(program)
  addDoctorCommand(program)
  addActivityCommands(program)
  addExportCommands(program)
  addChargingCommands(program)
  addInstallationCommands(program)
  addAuditCommands(program)
  addKeyCommands(program)
  addDatabaseCommands(program)
  addSchemaCommands(program)
  return program
}

const exitCodeOf = (error: unknown) => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof ExitCode) return error.code
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
