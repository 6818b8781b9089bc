/** Response in parts over HTTP: `multipart/mixed` (GraphQL over HTTP, "Incremental Delivery"; RFC 2046 §5.1). */
import type { FastifyReply } from 'fastify'
import { holdUntilClosed } from '#core/http/responses.ts'
import { streamResponse } from '#core/http/stream-response.ts'
import { DEFER_SPEC } from './accept.ts'
import type { FormattedParts } from './parts.ts'

const HEADERS = {
  'content-type': `multipart/mixed; boundary="-"; deferSpec=${DEFER_SPEC}`,
  'cache-control': 'no-store',
  // A proxy that keeps the first part until the last has come would undo it all.
  'x-accel-buffering': 'no',
}

const BOUNDARY = '\r\n---'
const END = '--\r\n'

const toPart = (json: string): string =>
  `${BOUNDARY}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${json}`

/** Adds `hasNext` to the text of a response, which is an object with members. */
const firstPart = (text: string, hasNext: boolean): string =>
  toPart(`${text.trimEnd().slice(0, -1)},"hasNext":${hasNext}}`)

/** The delimiter after a part goes with it: clients read a part once its end has come. */
async function* write(first: string, parts: FormattedParts): AsyncGenerator<string> {
  yield `${firstPart(first, true)}${BOUNDARY}`
  for await (const part of parts) {
    const text = toPart(JSON.stringify(part)).slice(BOUNDARY.length)
    yield part.hasNext ? `${text}${BOUNDARY}` : text
  }
  yield `${BOUNDARY}${END}`
}

/**
 * Writes a response in parts. What is still to be fetched is cancelled when the client leaves.
 * @param first text of the response before the deferred fragments.
 */
export async function sendParts(reply: FastifyReply, first: string, parts: FormattedParts): Promise<void> {
  holdUntilClosed(reply.request, reply, () => void parts.return(undefined))
  reply.removeHeader('content-length')
  await streamResponse(reply, { status: reply.statusCode, headers: HEADERS }, write(first, parts))
}

/** Writes a whole response as the only part, for a client that takes nothing but parts. */
export const sendOnlyPart = (reply: FastifyReply, text: string): FastifyReply =>
  reply.headers(HEADERS).send(`${firstPart(text, false)}${BOUNDARY}${END}`)
