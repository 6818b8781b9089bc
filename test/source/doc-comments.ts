/**
 * Checks that each doc comment begins with a noun or a verb: `npm run check:comments`. A clause without its head ("What a
 * client sent") leaves the reader to guess what it speaks of.
 */
import { SOURCES } from '../support/sources.ts'

/** Words that begin a clause without its head. */
const HEADLESS = /^(what|which|whose|those|who|whom|whatever|whoever|whichever)\b/i

const DOC_COMMENT = /\/\*\*\s*(?:\*\s*)?([^\s*][^\n]*)/g

/** Each doc comment that begins with a headless clause, as `file:line  its first line`. */
export const headlessComments = (sources: typeof SOURCES): string[] =>
  sources
    .filter(({ generated }) => !generated)
    .flatMap(({ file, text }) =>
      [...text.matchAll(DOC_COMMENT)]
        .filter(([, first]) => HEADLESS.test(first!))
        .map(({ 1: first, index }) => {
          const line = text.slice(0, index).split('\n').length
          return `${file}:${line}  ${first!.replace(/\s*\*\/.*$/, '')}`
        }),
    )

if (import.meta.main) {
  const found = headlessComments(SOURCES)
  for (const one of found) console.log(one)
  if (found.length > 0) {
    console.error(`${found.length} doc comments begin with a headless clause: begin with a noun or a verb.`)
    process.exitCode = 1
  }
}
