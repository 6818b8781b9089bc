/** A receiver of traces as a process of its own: it takes OTLP over HTTP, and shows what it got at `/spans`. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { type ReceivedSpan, spansInJson, spansInProtobuf } from './otlp.ts'

const spans: ReceivedSpan[] = []
const requests: { contentType: string | undefined; headers: Record<string, unknown> }[] = []
/** `ok` takes spans, `silent` never answers, `busy` answers 503. */
let mode = 'ok'

const answer = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://receiver')
  if (pathname === '/spans') return answer(response, spans)
  if (pathname === '/requests') return answer(response, requests)
  if (pathname === '/mode') {
    mode = searchParams.get('is')!
    return answer(response, mode)
  }
  const sent = await buffer(request)
  if (mode === 'silent') return
  if (mode === 'busy') return response.writeHead(503).end()
  const contentType = request.headers['content-type']
  requests.push({ contentType, headers: request.headers })
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
  if (contentType === 'application/json') spans.push(...spansInJson(body.toString()))
  else spans.push(...spansInProtobuf(body))
  response.writeHead(200, { 'content-type': contentType }).end(contentType === 'application/json' ? '{}' : '')
})

process.once('SIGTERM', () => process.exit(0))
process.once('disconnect', () => process.exit(0))
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
