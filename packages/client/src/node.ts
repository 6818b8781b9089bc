/** Parts for Node.js alone: cursors in files, and webhooks by `node:http`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Handler, type WebhookReceiver, WebhookRefusal } from './webhooks.ts'

export { fileCursorStore } from './stores/file.ts'

/** Largest body in octets; a webhook has about 600. */
const MAX_OCTETS = 65_536

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = []
  let octets = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    octets += chunk.length
    if (octets > MAX_OCTETS) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const end = (response: ServerResponse, status: number, text = '') => {
  response.writeHead(status, text === '' ? {} : { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

/**
 * Makes a listener for `createServer`: 204 for an event that is handled, 400 for what is refused, 500 where `handler`
 * rejects, so that the event is sent again.
 * @param onFault is given what `handler` rejects with, and refusals.
 */
export const webhookListener =
  (receiver: WebhookReceiver, handler: Handler, onFault: (error: unknown) => void = () => undefined) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return end(response, 405, 'use POST')
    try {
      const body = await readBody(request)
      if (body === undefined) return end(response, 413, 'the body is too large')
      await receiver.receive(request.headers, body, handler)
      end(response, 204)
    } catch (error) {
      onFault(error)
      if (error instanceof WebhookRefusal) end(response, 400, error.message)
      else end(response, 500, 'the event could not be handled')
    }
  }
