/** What the HTTP parser refuses before there is a request, in the contract's envelope like everything else. */
import { randomUUID } from 'node:crypto'
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { invalid, type ServiceError, toRest } from '../errors/catalogue.ts'
import { CORRELATOR } from './correlator.ts'

/** An ES import of it would load Node's own fetch and WebSocket, which nothing here uses. */
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** By Node's error codes; anything else cannot be read as HTTP. */
const REFUSALS: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in time'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the request are too large'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large'],
}

const refusalOf = (code: string | undefined): ServiceError => {
  const [status, message] = REFUSALS[code ?? ''] ?? [400, 'The request is not HTTP/1.1']
  return invalid(message, { status })
}

const headersOf = (body: string) => ({
  [CORRELATOR]: randomUUID(),
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
  connection: 'close',
})

const toText = (refusal: ServiceError): string => {
  const body = JSON.stringify(toRest(refusal))
  const fields = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${fields.join('')}\r\n${body}`
}

/** Answers on the bare connection. Where something was answered before, the client could take it for that. */
export function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy()
  socket.end(toText(refusalOf(error.code)), () => socket.destroy())
}

/** 417 for an `Expect` that is not `100-continue` (RFC 9110 §10.1.1). */
export function refuseExpectations(server: Server): void {
  server.on('checkExpectation', (_, response: ServerResponse) => {
    const body = JSON.stringify(toRest(invalid('Expect may be 100-continue alone', { status: 417 })))
    response.writeHead(417, headersOf(body)).end(body)
  })
}
