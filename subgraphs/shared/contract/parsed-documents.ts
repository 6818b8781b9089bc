/** YAML that was parsed once: reading it anew takes more of a start than all that is made of the contract. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { keepFile, keptFile } from '../config/kept-files.ts'

/** Where the document of a text is kept. */
export const keptDocument = (text: string): string =>
  keptFile(`document-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`)

const readKept = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** What a YAML text of this installation says, from the last time that it was parsed if it is the same. */
export function parseDocument(text: string): unknown {
  const file = keptDocument(text)
  const kept = readKept(file)
  if (kept !== undefined) return kept
  const document = parse(text)
  keepFile(file, JSON.stringify(document))
  return document
}
