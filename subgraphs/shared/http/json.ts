/** Request bodies as JSON: malformed text is the client's fault, and a number that a double cannot hold is refused. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalid } from '../errors/catalogue.ts'
import { scanJson } from './json-scan.ts'

/** What is said of a body of any other type. */
export const WRONG_TYPE = 'the content-type must be application/json, with charset=utf-8 or without'

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

/** JSON texts are UTF-8 (RFC 8259 §8.1), and no other parameter of the type means anything to us. */
const JSON_TYPE = /^application\/([^\s;/]+\+)?json[ \t]*(;[ \t]*charset=("utf-8"|utf-8)[ \t]*)?$/i

const checkType = (type: string | undefined) => {
  if (!JSON_TYPE.test(type ?? '')) throw invalid(WRONG_TYPE)
}

type Done = (error: Error | null, body?: unknown) => void

const read = ({ headers }: FastifyRequest, text: string | Buffer, done: Done) => {
  try {
    checkType(headers['content-type'])
    done(null, text === '' ? undefined : parse(text as string))
  } catch (error) {
    done(isSyntax(error) ? invalid(explain(error)) : (error as Error))
  }
}

/** Reads JSON bodies of `application/json` and `application/*+json`, with `charset=utf-8` or without. */
export function registerJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', { parseAs: 'string' }, read)
  server.addContentTypeParser(/^application\/.+\+json/i, { parseAs: 'string' }, read)
}
