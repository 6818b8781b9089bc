/** Answers of a server to bytes: HTTP/1.1 responses, read one by one, in any number. */
import { once } from 'node:events'
import { createConnection } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** How long a server may hold a connection that its client has finished with. */
const MAX_WAIT_MS = 15_000

/**
 * Sends bytes, says that there are no more, and gives what came until the server closed.
 * @throws Error when it does not.
 */
export async function exchange(address: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true })
  let came = ''
  socket.setEncoding('latin1')
  socket.on('data', chunk => (came += chunk))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  socket.on('end', () => socket.end())
  socket.end(bytes, 'latin1')
  const timer = setTimeout(() => socket.destroy(new Error('held')), MAX_WAIT_MS)
  const started = performance.now()
  await closed.catch(() => undefined)
  clearTimeout(timer)
  if (performance.now() - started >= MAX_WAIT_MS) throw new Error('the connection was not closed')
  return came
}

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n/

const headersOf = (block: string) => {
  const headers = new Headers()
  for (const line of block.split('\r\n').slice(1)) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    if (name) headers.append(name, value!)
  }
  return headers
}

/** A chunked body as its text, and what comes after it. */
const unchunk = (rest: string): [text: string, after: string] => {
  let text = ''
  for (let at = 0; ; ) {
    const [line, size] = /^([0-9a-fA-F]+)\r\n/.exec(rest.slice(at)) ?? []
    if (!line) return [text, '']
    const length = Number.parseInt(size!, 16)
    text += rest.slice(at + line.length, at + line.length + length)
    at += line.length + length + 2
    if (length === 0) return [text, rest.slice(at)]
  }
}

/** Reads the responses in what came; a HEAD's ends at its headers, and so does what was cut. */
export function readAnswers(came: string): RawAnswer[] {
  const responses: RawAnswer[] = []
  let rest = came
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    const status = STATUS_LINE.exec(rest)?.[1]
    if (!status || end < 0) throw new Error(`no response: ${rest.slice(0, 120)}`)
    const headers = headersOf(rest.slice(0, end))
    const after = rest.slice(end + 4)
    const length = STATUS_LINE.test(after) ? 0 : Number(headers.get('content-length') ?? 0)
    const chunked = headers.get('transfer-encoding') === 'chunked' && !STATUS_LINE.test(after)
    const [text, more] = chunked ? unchunk(after) : [after.slice(0, length), after.slice(length)]
    responses.push({ status: Number(status), headers, text })
    rest = Number(status) === 101 ? '' : more
  }
  return responses
}
