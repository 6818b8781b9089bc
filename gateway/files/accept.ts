/** Whether a request wants the rows of its answer as a file, by its `Accept` header. */
import { preferencesOf } from '#core/http/responses.ts'
import type { FormatName } from '#core/http/row-files.ts'

const FORMAT_OF = new Map<string, FormatName>([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
])

/** Finds the format that a client prefers to all others that it names; undefined where that is none of a file. */
export const fileFormatOf = (accept: string | undefined): FormatName | undefined => {
  if (!accept || !(accept.includes('csv') || accept.includes('ndjson'))) return undefined
  const [preferred] = preferencesOf(accept)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
  return preferred && FORMAT_OF.get(preferred.name)
}
