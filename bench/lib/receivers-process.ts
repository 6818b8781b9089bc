/** Receivers of webhooks, alone in their process, each on a port of its own: they answer 204 and count. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Arrivals, type Expectation } from './arrivals.ts'
import { serveCalls } from './worker.ts'

/** The last request, to compare what two senders send. */
export interface Received {
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
}

const arrivals = new Arrivals()
let last: Received | undefined

const readBody = (request: IncomingMessage, done: (body: string) => void) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => done(body))
}

const open = async () => {
  const server = createServer((request, response) =>
    readBody(request, body => {
      arrivals.add(body)
      last = { path: request.url!, headers: Object.keys(request.headers).sort(), body }
      response.writeHead(204).end()
    }),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

serveCalls({
  open: (count: number) => Promise.all(Array.from({ length: count }, open)),
  reset: () => arrivals.reset(),
  report: () => arrivals.report(),
  until: (expected: Expectation) => arrivals.until(expected),
  last: () => last,
})
