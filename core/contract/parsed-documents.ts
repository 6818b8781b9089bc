/** YAML that was parsed once: reading it anew takes more of a start than all that is made of the contract. */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { keptFile, keptJson } from '../config/kept-files.ts'

/** Where the document of a text is kept. */
export const keptDocument = (text: string): string =>
  keptFile(`document-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.json`)

/** Loaded where there is something to parse, which most starts have not. */
const parse = (text: string): unknown =>
  (createRequire(import.meta.url)('yaml') as typeof import('yaml')).parse(text)

/** What a YAML text of this installation says, from the last time that it was parsed if it is the same. */
export const parseDocument = (text: string): unknown => keptJson(keptDocument(text), () => parse(text))
