/** Checks rows without a database, and expects what comes of it. */
import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { parseCsv, parseJson } from '#core/directory/read-file.ts'
import { ImportError, type Rows } from '#core/directory/rows.ts'
import { validateRows } from '#core/directory/validate-rows.ts'

export const PHONE = 'must be a phone number: digits with country code, such as +96891000001'

/** The batches that the rows are packed into. */
export const check = (rows: Rows) => validateRows(rows, '968', () => undefined)

/** The failure of rows that must fail. */
export const failure = async (rows: Rows): Promise<ImportError> => {
  const error = await check(rows).then(
    () => undefined,
    reason => reason,
  )
  expect(error).toBeInstanceOf(ImportError)
  return error
}

/** The rows of a JSON text, or of what is to be one. */
export const json = (file: unknown) => parseJson(typeof file === 'string' ? file : JSON.stringify(file))

/** The rows of a CSV text. */
export const csv = (text: string) => parseCsv(Readable.from([Buffer.from(text)]))
