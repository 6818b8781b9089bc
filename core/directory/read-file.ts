/** Reads a directory file in the format that its name ends with. */
import { createReadStream } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { parseCsv } from './parse-csv.ts'
import { parseJson } from './parse-json.ts'
import { ImportError, type Row } from './rows.ts'

/** The first bytes of UTF-16: a byte order mark, or a Latin letter or bracket beside a zero. */
const isUtf16 = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0) !== (second === 0)

const checkEncoding = async (path: string): Promise<void> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
  if (bytesRead === 2 && isUtf16(buffer))
    throw new ImportError([`${path} is UTF-16; save it as UTF-8 (in a spreadsheet: "CSV UTF-8")`])
}

/** The rows of a `.json` or `.csv` file. */
export async function* readRows(path: string): AsyncGenerator<Row> {
  const extension = extname(path).toLowerCase()
  if (extension !== '.json' && extension !== '.csv')
    throw new ImportError([`${path} must end with .json or .csv`])
  await checkEncoding(path)
  if (extension === '.json') yield* parseJson(await readFile(path, 'utf8'))
  else yield* parseCsv(createReadStream(path))
}
