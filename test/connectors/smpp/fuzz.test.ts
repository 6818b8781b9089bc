/** Hostile octets from a message centre: no exception escapes, nothing runs for ever, and no more memory is taken than came. */

import { once } from 'node:events'
import { connect, type Server } from 'node:net'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDelivered } from '#connectors/smpp/receipts.ts'
import { createSmppServer, Session } from '#connectors/smpp/session.ts'
import { decodePdu, encodePdu, LONGEST_PDU, type Pdu, PduError } from '#connectors/third-party/smpp.ts'
import { SOURCES } from '#test/support/sources.ts'

/** The same cases in each run. */
const RUN = { seed: 20_221_122, numRuns: 2_000 }

const RECEIPT = encodePdu('deliver_sm', 7, {
  esm_class: 4,
  source_addr: '96891000001',
  short_message: Buffer.from('id:1 sub:001 dlvrd:001 stat:DELIVRD err:000'),
  receipted_message_id: '1',
  message_state: 2,
  user_message_reference: 77,
})

const SAMPLES = [
  RECEIPT,
  encodePdu('deliver_sm', 8, {
    esm_class: 0x40,
    data_coding: 8,
    short_message: Buffer.from([5, 0, 3, 1, 2, 1, 6, 0x45]),
  }),
  encodePdu('submit_sm', 9, { validity_period: '000001000000000R', short_message: Buffer.from('Hello') }),
  encodePdu('submit_sm_resp', 10, { message_id: 'Ab_1' }),
  encodePdu('submit_multi', 11, { dest_address: [{ destination_addr: '1' }, { dl_name: 'all' }] }),
  encodePdu('query_sm_resp', 12, { message_id: 'Ab_1', message_state: 2 }),
  encodePdu('bind_transceiver', 13, { system_id: 'me', password: 'secret' }),
]

/** Command ids of SMPP 3.4 and a few that are none, as requests and as responses. */
const commandIds = fc
  .tuple(fc.integer({ min: 0, max: 0x115 }), fc.constantFrom(0, 0x80000000))
  .map(([id, response]) => id + response)

/** A header with the true length, before any octets. */
const random = fc.tuple(commandIds, fc.uint8Array({ maxLength: 600 })).map(([id, body]) => {
  const octets = Buffer.alloc(16 + body.length)
  octets.writeUInt32BE(octets.length)
  octets.writeUInt32BE(id, 4)
  octets.set(body, 16)
  return octets
})

const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x24, 0x7f, 0x80, 0xff), fc.nat(3)), {
  minLength: 1,
  maxLength: 8,
})

/** A sample with octets overwritten, cut off, doubled or put in between; its length is true again. */
const mutated = fc.tuple(fc.constantFrom(...SAMPLES), changes).map(([sample, steps]) => {
  let octets: Buffer = Buffer.from(sample)
  for (const [place, value, kind] of steps) {
    const at = 4 + (place % Math.max(1, octets.length - 4))
    const [before, after] = [octets.subarray(0, at), octets.subarray(at)]
    if (kind === 0 && after.length > 0) octets[at] = value
    else if (kind === 1) octets = Buffer.from(before)
    else if (kind === 2) octets = Buffer.concat([octets, after])
    else octets = Buffer.concat([before, Buffer.from([value]), after])
  }
  const whole = Buffer.concat([octets, Buffer.alloc(Math.max(0, 16 - octets.length))]).subarray(
    0,
    LONGEST_PDU,
  )
  whole.writeUInt32BE(whole.length)
  return whole
})

const hostile = fc.oneof(random, mutated)

/** Octets in all that can be reached from a value, each buffer as long as it seems. */
const sizeOf = (value: unknown): number => {
  if (Buffer.isBuffer(value)) return value.length
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, one) => sum + sizeOf(one), 8)
}

const read = (octets: Buffer): Pdu | PduError => {
  try {
    return decodePdu(octets)
  } catch (error) {
    if (error instanceof PduError) return error
    throw error
  }
}

describe('the decoder', () => {
  it('reads a PDU or throws PduError, and takes no more memory than the octets allow', () => {
    let decoded = 0
    fc.assert(
      fc.property(hostile, octets => {
        const pdu = read(octets)
        if (pdu instanceof PduError) return
        decoded++
        // A list of addresses has at most 255 entries, whatever its length says.
        expect(sizeOf(pdu.fields)).toBeLessThan(40 * octets.length + 20_000)
        if (!pdu.isResponse) readDelivered(pdu.fields)
      }),
      RUN,
    )
    expect(decoded).toBeGreaterThan(RUN.numRuns / 4)
  })

  it.each([0, 15, LONGEST_PDU + 1])('refuses %d octets', length => {
    expect(() => decodePdu(Buffer.alloc(length))).toThrow(PduError)
  })

  it('refuses a PDU that names another length than it has', () => {
    expect(() => decodePdu(Buffer.concat([RECEIPT, Buffer.alloc(1)]))).toThrow(PduError)
    expect(() => decodePdu(RECEIPT.subarray(0, -1))).toThrow(PduError)
  })

  it('is the only file that names the package', () => {
    const naming = SOURCES.filter(({ imports }) => imports.includes('smpp'))
    expect(naming.map(({ file }) => file)).toEqual(['connectors/third-party/smpp.ts'])
  })
})

describe('a session', () => {
  let server: Server
  let session: Session
  let seen: Pdu[]
  let ended: Promise<string>

  beforeEach(async () => {
    seen = []
    const end = Promise.withResolvers<string>()
    ended = end.promise
    server = createSmppServer(one => {
      session = one
      one.on('pdu', (pdu: Pdu) => void seen.push(pdu))
      one.on('error', (error: Error) => {
        end.resolve(error.message)
        one.destroy()
      })
      one.on('close', () => end.resolve('closed'))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(() => void server.close())

  /** Sends the pieces, each after the one before it was written, and ends the connection. */
  const send = async (...pieces: Buffer[]) => {
    const { port } = server.address() as { port: number }
    const socket = connect(port, '127.0.0.1').setNoDelay(true)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    for (const piece of pieces) await new Promise(done => socket.write(piece, done))
    socket.end()
    return ended
  }

  it.each([0, 1, 4, 15, LONGEST_PDU + 1, 0xffffffff])('ends at an announced length of %d', async length => {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(length)
    expect(await send(RECEIPT, head, Buffer.alloc(64))).toBe(`a PDU of ${length} octets was announced`)
    expect(seen).toHaveLength(1)
  })

  it('reads PDUs that come octet by octet, and those that come together', async () => {
    const pieces = [...RECEIPT].map(octet => Buffer.from([octet]))
    expect(await send(...pieces, Buffer.concat([RECEIPT, RECEIPT]))).toBe('closed')
    expect(seen.map(({ command, sequence }) => [command, sequence])).toEqual(Array(3).fill(['deliver_sm', 7]))
  })

  it('passes over a PDU in which the connection ends', async () => {
    expect(await send(RECEIPT, RECEIPT.subarray(0, -1))).toBe('closed')
    expect(seen).toHaveLength(1)
  })

  it('ends where one that receives a PDU throws, and the process goes on', async () => {
    server.once('connection', () =>
      session.on('deliver_sm', () => {
        throw new Error('no use')
      }),
    )
    expect(await send(RECEIPT, RECEIPT)).toBe('no use')
    expect(seen).toHaveLength(1)
  })

  it('calls for a response once, and for none that was not requested', () => {
    const wire = new PassThrough()
    const one = new Session(wire as never)
    const responses: Pdu[] = []
    one.request('submit_sm', {}, response => void responses.push(response))
    wire.read()
    for (const sequence of [2, 1, 1]) wire.write(encodePdu('submit_sm_resp', sequence, { message_id: 'a' }))
    one.resume()
    expect(responses.map(({ sequence }) => sequence)).toEqual([1])
  })

  it('throws nothing at random octets, however they are cut', async () => {
    const stream = fc.tuple(
      fc.array(hostile, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 1, max: 700 }),
    )
    await fc.assert(
      fc.asyncProperty(stream, async ([pdus, size]) => {
        const wire = new PassThrough({ highWaterMark: 1_024 })
        const one = new Session(wire as never)
        const end = Promise.withResolvers<void>()
        one.on('error', () => wire.destroy())
        one.on('close', end.resolve)
        const octets = Buffer.concat(pdus)
        for (let at = 0; at < octets.length; at += size) wire.write(octets.subarray(at, at + size))
        wire.end()
        await end.promise
      }),
      { ...RUN, numRuns: 300 },
    )
  })
})
