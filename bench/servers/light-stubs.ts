/**
 * Stub subgraphs, each at the port after the one before: those of P1, or those of the file that `STUBS` names. They remember
 * their responses, so that what is measured is the gateway. A body that came once is answered from memory, whichever side
 * sends it.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { graphql } from 'graphql'
import type { Stub } from './stub-subgraphs.ts'

const first = Number(process.env['PORT'])

const { STUBS } = (await import(process.env['STUBS'] ?? './stub-subgraphs.ts')) as { STUBS: readonly Stub[] }

/** For all gateways together. */
const MAX_ANSWERS = 100_000

const read = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return String(Buffer.concat(chunks))
}

const answerer = ({ typeDefs, resolvers }: Stub) => {
  const schema = buildSubgraphSchema({ typeDefs, resolvers })
  const known = new Map<string, string>()
  return async (body: string) => {
    const found = known.get(body)
    if (found) return found
    const { query, operationName, variables } = JSON.parse(body)
    const result = await graphql({ schema, source: query, operationName, variableValues: variables })
    const text = JSON.stringify(result)
    if (known.size < MAX_ANSWERS) known.set(body, text)
    return text
  }
}

// The first port comes last: who waits for it finds all of them.
for (const [index, stub] of [...STUBS.entries()].reverse()) {
  const answer = answerer(stub)
  const server = createServer(async (request, response) => {
    const text = request.method === 'POST' ? await answer(await read(request)) : '{}'
    // As the services say it, so that their gateway may write several requests at once.
    if (request.headers['x-pipelining']) response.setHeader('x-pipelining', String(request.socket.remotePort))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  })
  await once(server.listen(first + index, '127.0.0.1'), 'listening')
}
process.once('SIGTERM', () => process.exit(0))
