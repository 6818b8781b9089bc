/** Reads a directory file in the format that its name ends with. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseCsv } from './parse-csv.ts'
import { parseJson } from './parse-json.ts'
import { ImportError, type Row } from './rows.ts'

/** The rows of a `.json` or `.csv` file. */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const extension = extname(path).toLowerCase()
  if (extension === '.json') yield* parseJson(await readFile(path, 'utf8'))
  else if (extension === '.csv') yield* parseCsv(createReadStream(path))
  else throw new ImportError([`${path} must end with .json or .csv`])
}
