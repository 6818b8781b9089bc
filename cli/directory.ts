/** `directory import <file>`: customer accounts and their lines. */
import type { Command } from 'commander'
import { administrator } from '#core/audit/acts.ts'
import { type ImportResult, importFile } from '#core/directory/import.ts'
import { IMPORT_COLUMNS } from '#core/directory/read-file.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { withDatabase } from './open.ts'
import { printResult, progressBar, table, warn } from './output.ts'

interface Options {
  json?: boolean
  setBalances?: boolean
}

/** The columns, a few on each line. */
const columnList = IMPORT_COLUMNS.map((column, index) => (index % 5 === 0 ? `\n  ${column}` : column))
  .join(', ')
  .replaceAll(', \n', ',\n')
  .trimStart()
  .replace(/^/, '  ')

const DETAILS = `
The file is JSON ({"accounts": [{…, "lines": [{…}]}]}) or CSV, both in UTF-8. CSV has commas, a header, and a row for
each line of an account. Columns, of which customerAccountNumber alone is required:

${columnList}

All of it is imported or nothing; accounts and lines that it does not name stay as they are.`

const describe = (result: ImportResult) => {
  const rows = Object.entries(result).map(([name, counts]) => [
    name,
    ...[counts.added, counts.changed, counts.unchanged].map(String),
  ])
  return table(['', 'ADDED', 'CHANGED', 'UNCHANGED'], rows)
}

const unreadable = (file: string) => (error: unknown) => {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (syscall === 'open' || syscall === 'read') throw new SetupError(`${file} cannot be read: ${code}`)
  throw error
}

const importCommand = async (file: string, { json, setBalances }: Options) => {
  const warnings: string[] = []
  const onWarning = (text: string) => void warnings.push(text)
  const result = await withDatabase(async ({ db }, { countryCode }) => {
    using bar = progressBar()
    const options = { countryCode, setBalances, onProgress: bar.show, onWarning, by: administrator() }
    return await importFile(db, file, options).catch(unreadable(file))
  })
  for (const text of warnings) warn(text)
  printResult(json, result, () => describe(result))
}

/** Adds the group to the program. */
export function addDirectoryCommands(program: Command): void {
  program
    .command('directory')
    .description('customer accounts and their lines')
    .command('import <file>')
    .description('import accounts and lines from a .json or .csv file')
    .addHelpText('after', DETAILS)
    .option('--set-balances', 'also set balances that exist already; posting waits meanwhile')
    .option('--json', 'print one line of JSON')
    .action(importCommand)
}
