/**
 * Every operation of REST and GraphQL under every kind of excess, generated from the documents, with the event loop
 * watched.
 */
import { afterAll, beforeEach, expect } from 'vitest'
import { audit } from '../support/audit.ts'
import { ask, attackAll, MAX_DELAY_MS, measure } from './support/attack.ts'
import { note } from './support/figures.ts'
import { sampleOf } from './support/form.ts'
import { attacksOnGraph } from './support/graph-attacks.ts'
import { type ProbedServer, startProbed } from './support/probed-server.ts'
import { attacksOn } from './support/rest-attacks.ts'
import { OPERATIONS } from './support/rest-cases.ts'
import { supergraphSchema } from './support/schemas.ts'

const schema = supergraphSchema()
let server: ProbedServer
/** One that an attack has ended is followed by another. */
beforeEach(async () => {
  if (server !== undefined && !server.hasEnded()) return
  server = await startProbed()
  // Plans, parsers and statements that are made once are made before anything is measured.
  const token = await server.token()
  for (const query of [
    '{ me { id } }',
    '{ payments(first: 1) { totalCount } }',
    '{ timeline(first: 1) { totalCount } }',
  ])
    await ask(server.address, { token, raw: JSON.stringify({ query }) })
})
afterAll(() => server?.[Symbol.asyncDispose]())

/** A body that comes byte by byte, as slowly as the test sets. */
const slowly = (text: string, parts: number) =>
  new ReadableStream({
    async start(controller) {
      const size = Math.ceil(text.length / parts)
      for (let at = 0; at < text.length; at += size) {
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + size)))
        await new Promise(setImmediate)
      }
      controller.close()
    },
  })

audit('SECURITY-FAMILY', [
  [
    '01',
    'MUST hold up nobody by a REST request that is deep, wide, long, repeated or out of range',
    async () => {
      const token = await server.token()
      const attacks = OPERATIONS.flatMap(operation => attacksOn(operation, token))
      await attackAll(server, 'REST, deep, wide, long, repeated, out of range', sampleOf(attacks, 20))
    },
  ],
  [
    '02',
    'MUST hold up nobody by an operation that is deep, wide, long, repeated or out of range',
    async () => {
      const attacks = attacksOnGraph(schema, await server.token())
      await attackAll(server, 'graph, deep, wide, long, repeated, out of range', sampleOf(attacks, 20))
    },
  ],
  [
    '03',
    'MUST hold up nobody by a portal that asks the same, which sees everything',
    async () => {
      const attacks = attacksOnGraph(schema, await server.token('demo-portal'))
      await attackAll(server, 'graph by a portal', sampleOf(attacks, 20))
    },
  ],
  [
    '04',
    'MUST take a body that comes in pieces, and one that breaks off, without a word in the log',
    async () => {
      const token = await server.token()
      for (const { path } of OPERATIONS.filter(one => one.body)) {
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        }
        const sent = await fetch(server.address + path, {
          ...init,
          body: slowly('{"a":1}', 7),
          duplex: 'half',
        } as RequestInit)
        expect(sent.status).toBe(400)
        const leave = new AbortController()
        const broken = new ReadableStream({
          start: controller => controller.enqueue(new TextEncoder().encode('{"a":')),
        })
        const gone = fetch(server.address + path, {
          ...init,
          body: broken,
          duplex: 'half',
          signal: leave.signal,
        } as RequestInit)
        setImmediate(() => leave.abort())
        await expect(gone).rejects.toThrow()
      }
      expect(await ask(server.address, { method: 'GET', path: '/health/live' })).toMatchObject({
        status: 200,
      })
      expect(server.errors.splice(0)).toEqual([])
    },
  ],
  [
    '05',
    'MUST answer fifty of the same at once, and hold up nobody by any one of them',
    async () => {
      const token = await server.token()
      const raw = JSON.stringify({
        query: '{ payments(first: 50) { nodes { id } } timeline(first: 50) { nodes { description } } }',
      })
      const [delayMs, responses] = await measure(server, () =>
        Promise.all(Array.from({ length: 50 }, () => ask(server.address, { token, raw }))),
      )
      const statuses = [...new Set(responses.map(({ status }) => status))]
      note({ part: 'attack', what: 'fifty at once', cases: 50, faults: 0, delayMs })
      expect(statuses.every(status => status === 200 || status === 503)).toBe(true)
      expect(delayMs).toBeLessThan(2 * MAX_DELAY_MS)
    },
  ],
])
