/** Request bodies as JSON: malformed text is the client's fault, and a number that a double cannot hold is refused. */
import type { FastifyInstance } from 'fastify'
import { invalid } from '../errors/catalogue.ts'
import { scanJson } from './json-scan.ts'

const parse = (text: string): unknown => {
  scanJson(text)
  return JSON.parse(text)
}

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
