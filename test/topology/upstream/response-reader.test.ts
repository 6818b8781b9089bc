/** Responses of HTTP/1.1, whole and in pieces, and bytes that are none. */
import { describe, expect, it } from 'vitest'
import {
  Heads,
  MalformedResponse,
  type ReadResponse,
  ResponseReader,
} from '#topology/upstream/response-reader.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const TEXT = '{"data":{"name":"مرحبا"}}'
const BYTES = Buffer.byteLength(TEXT)

/** Reads a response that comes in these pieces; each is overwritten behind the reader, as the memory of a connection is. */
const read = (pieces: readonly Buffer[], heads = new Heads()): ReadResponse | undefined => {
  const reader = new ResponseReader(heads)
  for (const piece of pieces) {
    const memory = Buffer.from(piece)
    const response = reader.take(memory)
    memory.fill('!')
    if (response) return response
  }
  return reader.end()
}

const eachCut = (bytes: Buffer): Buffer[][] =>
  Array.from({ length: bytes.length - 1 }, (_, index) => [
    bytes.subarray(0, index + 1),
    bytes.subarray(index + 1),
  ])

const byteByByte = (bytes: Buffer) => Array.from(bytes, (_, index) => bytes.subarray(index, index + 1))

const half = Math.floor(BYTES / 2)
const chunk = (bytes: Buffer, more = '') =>
  `${bytes.length.toString(16)}${more}\r\n${bytes.toString('latin1')}\r\n`
const body = Buffer.from(TEXT)
const inLatin1 = body.toString('latin1')

const WHOLE: Record<string, readonly [text: string, expected: Partial<ReadResponse>]> = {
  'with a length': [
    `${OK}Content-Length: ${BYTES}\r\nContent-Type: application/json\r\n\r\n${inLatin1}`,
    { status: 200, body: TEXT, idleSeconds: 4 },
  ],
  'without a body': [`HTTP/1.1 204 No Content\r\n\r\n`, { status: 204, body: '', idleSeconds: 4 }],
  'with an empty reason': [`HTTP/1.1 503 \r\ncontent-length: 2\r\n\r\n{}`, { status: 503, body: '{}' }],
  'in chunks': [
    `${OK}Transfer-Encoding: chunked\r\n\r\n${chunk(body.subarray(0, half))}${chunk(body.subarray(half), ';a=b')}0\r\n\r\n`,
    { body: TEXT, idleSeconds: 4 },
  ],
  'in chunks, with trailers': [
    `${OK}transfer-encoding: chunked\r\n\r\n${chunk(body)}0\r\na: b\r\nc: d\r\n\r\n`,
    { body: TEXT, idleSeconds: 4 },
  ],
  'behind early hints': [
    `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\n{}`,
    { status: 200, body: '{}', idleSeconds: 4 },
  ],
  'of a server that closes': [
    `${OK}connection: Close\r\ncontent-length: 2\r\n\r\n{}`,
    { body: '{}', idleSeconds: 0 },
  ],
  'of a server that waits for 3 s': [
    `${OK}keep-alive: timeout=3\r\ncontent-length: 2\r\n\r\n{}`,
    { body: '{}', idleSeconds: 2 },
  ],
  'of a server that waits for 60 s': [
    `${OK}keep-alive: timeout=60\r\ncontent-length: 2\r\n\r\n{}`,
    { body: '{}', idleSeconds: 4 },
  ],
  'of HTTP/1.0': [`HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}`, { body: '{}', idleSeconds: 0 }],
}

describe('a response', () => {
  it.each(Object.entries(WHOLE))('READ-01 MUST be read whole, in any pieces: %s', (_, [text, expected]) => {
    const bytes = Buffer.from(text, 'latin1')
    for (const pieces of [[bytes], byteByByte(bytes), ...eachCut(bytes)])
      expect(read(pieces)).toMatchObject(expected)
  })

  it('READ-02 MUST end with its connection where it has no length', () => {
    const bytes = Buffer.from(`${OK}\r\n${inLatin1}`, 'latin1')
    for (const pieces of [[bytes], byteByByte(bytes)])
      expect(read(pieces)).toMatchObject({ body: TEXT, idleSeconds: 0 })
  })

  it('READ-03 MUST NOT be whole where the connection ends before', () => {
    for (const text of [
      OK,
      `${OK}content-length: 3\r\n\r\n{}`,
      `${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`,
    ])
      expect(read([Buffer.from(text)])).toBeUndefined()
  })

  it('READ-04 MUST tell how many bytes follow it', () => {
    const length = `${OK}content-length: 2\r\n\r\n{}${OK}`
    const chunks = `${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${OK}`
    for (const text of [length, chunks])
      expect(read([Buffer.from(text)])).toMatchObject({ body: '{}', after: OK.length })
  })

  it('READ-06 MUST have its own head behind others of the same service', () => {
    const heads = new Heads()
    const texts = ['a', 'b', 'b', 'a'].map(name => `${OK}x-a: ${name}\r\ncontent-length: 0\r\n\r\n`)
    const names = texts.map(text => read([Buffer.from(text)], heads)!.headers['x-a'])
    expect(names).toEqual(['a', 'b', 'b', 'a'])
    expect(() => read([Buffer.from(`${OK}x a: c\r\n\r\n`)], heads)).toThrow(MalformedResponse)
    expect(read([Buffer.from(texts[3]!)], heads)!.headers['x-a']).toBe('a')
  })

  it('READ-05 MUST have its headers by lower-case names, repeated ones as a list', () => {
    const text = `${OK}X-A: 1\r\nx-a:  2 \r\n__proto__: 3\r\ncontent-length: 0\r\n\r\n`
    const { headers } = read([Buffer.from(text)])!
    expect(Object.entries(headers)).toEqual([
      ['x-a', ['1', '2']],
      ['__proto__', '3'],
      ['content-length', '0'],
    ])
  })
})

const MALFORMED: Record<string, string> = {
  'another protocol': 'SSH-2.0-OpenSSH\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/2': 'HTTP/2.0 200 OK\r\n\r\n',
  'another protocol asked for': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'a length that is no number': `${OK}content-length: 2x\r\n\r\n{}`,
  'a negative length': `${OK}content-length: -2\r\n\r\n{}`,
  'two lengths': `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\n{}`,
  'a length and chunks': `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  'another encoding': `${OK}transfer-encoding: gzip, chunked\r\n\r\n`,
  'two encodings': `${OK}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n`,
  'a folded header': `${OK}a: b\r\n c\r\n\r\n`,
  'a header without a name': `${OK}: b\r\n\r\n`,
  'a name with a space': `${OK}content-length : 2\r\n\r\n{}`,
  'a line end without a return': `${OK}a: b\ncontent-length: 2\r\n\r\n{}`,
  'a return without a line end': `${OK}a: b\rcontent-length: 2\r\n\r\n{}`,
  'a zero byte': `${OK}a: b\0\r\n\r\n`,
  'a head without an end': `${OK}a: ${'b'.repeat(17_000)}`,
  'a chunk whose size is no number': `${OK}transfer-encoding: chunked\r\n\r\nx\r\n`,
  'a chunk of negative size': `${OK}transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n`,
  'a chunk whose line has no return': `${OK}transfer-encoding: chunked\r\n\r\n2\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than it says': `${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n`,
  'a chunk line without an end': `${OK}transfer-encoding: chunked\r\n\r\n2;${'a'.repeat(17_000)}`,
  'trailers without an end': `${OK}transfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(3_000)}`,
}

it.each(Object.entries(MALFORMED))('READ-10 MUST NOT be read: %s', (_, text) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(() => read([bytes])).toThrow(MalformedResponse)
  expect(() => read(byteByByte(bytes))).toThrow(MalformedResponse)
})
