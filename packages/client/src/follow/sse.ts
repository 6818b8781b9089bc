/**
 * Events as server-sent events ("distinct connections" of `graphql-sse`), read from the response of a request: `EventSource`
 * sends no `Authorization`.
 */
import type { Client } from '../client.ts'
import { jsonOf, refusalOf } from '../errors.ts'
import { type FollowedEvent, type FollowFilter, Interruption, isPassingStatus, type Way } from './event.ts'
import { beginInGraph, eventOf, subscriptionOf } from './subscription.ts'

/** Longest silence in milliseconds: the server writes a comment every twelve seconds. */
const SILENCE_MS = 40_000

interface Message {
  readonly event: string
  readonly data: string
}

const parse = (block: string): Message => {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!
    if (field === 'event') event = value!
    if (field === 'data') data.push(value!)
  }
  return { event, data: data.join('\n') }
}

/** Messages of a body (HTML, "Server-sent events"); each is over at an empty line. */
async function* messagesOf(chunks: AsyncIterable<string>): AsyncGenerator<Message, void> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.replaceAll('\r', '')
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      if (/^data\b/m.test(block)) yield parse(block)
    }
  }
}

/** Reads a body as text, and calls `onSilence` where nothing comes for too long. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  onSilence: () => void,
): AsyncGenerator<string, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let patience = setTimeout(onSilence, SILENCE_MS)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(patience)
      patience = setTimeout(onSilence, SILENCE_MS)
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    clearTimeout(patience)
    await reader.cancel().catch(() => undefined)
  }
}

/** @throws Interruption or Refusal where the server does not begin a stream. */
const checkStream = async (response: Response, token: string): Promise<ReadableStream<Uint8Array>> => {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (response.ok && isStream && response.body) return response.body
  const refusal = refusalOf(response, await jsonOf(response))
  if (response.status === 401)
    throw new Interruption(refusal.message, { cause: refusal, refusedToken: token })
  if (isPassingStatus(response.status))
    throw new Interruption(refusal.message, { cause: refusal, retryAfterMs: refusal.retryAfterMs })
  throw refusal
}

/** Makes the way over server-sent events. */
export const overSse = <Event extends FollowedEvent>(
  client: Client,
  filter: FollowFilter,
  selection: string,
): Way<Event> => ({
  begin: (from, signal) => beginInGraph(client, filter, selection, from, signal),
  async *open(after, signal, onOpen) {
    const token = await client.token()
    const cut = new AbortController()
    const silent = () => cut.abort(new Interruption('the connection has gone silent'))
    const patience = setTimeout(silent, SILENCE_MS)
    const response = await fetch(new URL('/graphql/stream', client.address), {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(subscriptionOf(after, filter, selection)),
      signal: AbortSignal.any([signal, cut.signal]),
    }).finally(() => clearTimeout(patience))
    const body = await checkStream(response, token)
    onOpen()
    for await (const { event, data } of messagesOf(chunksOf(body, silent))) {
      if (event === 'complete') return
      if (event === 'next') yield eventOf<Event>(JSON.parse(data), token)
    }
  },
})
