/** The administration command line: `npm run cli -- <command>`. */
import { runCommand } from './program.ts'

process.exitCode = await runCommand(process.argv.slice(2))
