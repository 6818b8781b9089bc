/** Request bodies as JSON: malformed text is the client's fault, and a number that a double cannot hold is refused. */
import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors.ts'

/** Only a text with so many digits in a row can hold a number that is not kept exactly. */
const LONG_NUMBER = /[\d.]{16}/
const SIGNIFICANT = /^-?0*\.?0*|\.|[eE].*$/g
const MAX_DIGITS = 15

/** Trailing zeros say nothing, the others do. */
const digitsOf = (source: string) => source.replace(SIGNIFICANT, '').replace(/0+$/, '').length

/** `JSON.parse` hands the source text of primitives to its reviver (ECMAScript, "JSON.parse source text access"). */
function refuseInexact(this: unknown, name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && context?.source && digitsOf(context.source) > MAX_DIGITS) {
    throw invalid(`${name} has more than ${MAX_DIGITS} significant digits, which cannot be kept exactly`)
  }
  return value
}

const parse = (text: string): unknown =>
  LONG_NUMBER.test(text) ? JSON.parse(text, refuseInexact as never) : JSON.parse(text)

/** Only the place: the parser's own words quote the text around it, which may be a card's security code. */
const explain = ({ message }: SyntaxError) => {
  const place = /at position \d+/.exec(message)
  return `the request body is not JSON${place ? ` ${place[0]}` : ''}`
}

const isSyntax = (error: unknown): error is SyntaxError => error instanceof SyntaxError

type Done = (error: Error | null, body?: unknown) => void

const read = (_request: unknown, text: string | Buffer, done: Done) => {
  try {
    done(null, text === '' ? undefined : parse(text as string))
  } catch (error) {
    done(isSyntax(error) ? invalid(explain(error)) : (error as Error))
  }
}

/** Reads JSON bodies of `application/json` and `application/*+json`. */
export function registerJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, read)
  server.addContentTypeParser(/^application\/.+\+json/i, { parseAs: 'string' }, read)
}
