/** Trusted documents over the wire: named by every id and name that clients' tools send, at a server that executes others too. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '#core/config/config.ts'
import { createTrustedDocuments } from '#gateway/operation/trusted-documents.ts'
import { startStack } from '#test/support/stack.ts'
import {
  auditNamed,
  byHash,
  KIND,
  ME,
  md5,
  refusal,
  sha256,
  startTrusting,
  type Trusting,
  writeManifests,
} from './trusted.ts'

const UNTRUSTED = 'query Me { me { id name } }'

const manifests = writeManifests()
let server: Trusting
beforeAll(async () => {
  server = await startTrusting(manifests)
})
afterAll(async () => {
  await server?.stack[Symbol.asyncDispose]()
  manifests[Symbol.dispose]()
})

describe('named', () => auditNamed(() => server))

describe('a server that executes others too', () => {
  it('TRUSTED-20 MUST execute any text', async () => {
    expect(await server.post({ query: UNTRUSTED })).toMatchObject({ status: 200 })
  })

  it('TRUSTED-21 MUST say that it does not know an id', async () => {
    const fault = refusal('UNKNOWN_DOCUMENT')
    expect(await server.post({ documentId: 'no-such' })).toMatchObject(fault)
    expect(await server.get({ id: 'no-such' })).toMatchObject(fault)
  })

  it('TRUSTED-22 MUST ask for the text of a hash that it does not know, as ever', async () => {
    const body = { extensions: byHash(sha256(UNTRUSTED)) }
    expect(await server.post(body)).toMatchObject({
      errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
    })
    expect(await server.post({ ...body, query: UNTRUSTED })).toMatchObject({ status: 200 })
    expect(await server.post({ ...body, id: 'of-something-else' })).toMatchObject({ status: 200 })
  })
})

describe('at the start', () => {
  it('TRUSTED-50 MUST be refused by name and reason, all that do not fit the supergraph', async () => {
    const texts = {
      unknown: 'query Unknown { nothing }',
      unread: 'query Unread {',
      deep: `query Deep { subscriber(mobileNumber: "+96891000001") { ${'customer { subscribers { '.repeat(10)} kind ${'} }'.repeat(10)} } }`,
      scalar: 'query Scalar { subscriber(mobileNumber: "nobody") { kind } }',
      fits: ME,
    }
    const file = join(manifests.folder, 'unfit.manifest')
    writeFileSync(file, JSON.stringify(texts))
    const starting = startStack({ env: { TRUSTED_DOCUMENTS: file } }).then(stack =>
      stack[Symbol.asyncDispose](),
    )
    await expect(starting).rejects.toThrow(ConfigError)
    const { message } = (await starting.catch(error => error)) as Error
    expect(message.split('\n')).toEqual([
      'The configuration has 4 fault(s):',
      expect.stringMatching(
        /^ {2}TRUSTED_DOCUMENTS Unknown \(unknown\) does not fit the supergraph: Cannot query field "nothing"/,
      ),
      expect.stringMatching(/^ {2}TRUSTED_DOCUMENTS unread does not fit the supergraph: Syntax Error/),
      expect.stringMatching(/^ {2}TRUSTED_DOCUMENTS Deep \(deep\) does not fit the supergraph: .*depth/i),
      expect.stringMatching(
        /^ {2}TRUSTED_DOCUMENTS Scalar \(scalar\) does not fit the supergraph: .*PhoneNumber must be/,
      ),
    ])
  })

  it('TRUSTED-51 MUST be planned before they are requested', () => {
    const documents = [...createTrustedDocuments(server.stack.app.config.trusted)]
    expect(documents.map(({ operationName }) => operationName).toSorted()).toEqual([
      'Customer360',
      'Kind',
      'Me',
      'Stop',
      'Watch',
    ])
    expect(documents.find(({ operationName }) => operationName === 'Kind')).toEqual({
      id: md5(KIND),
      text: KIND,
      operationName: 'Kind',
    })
  })
})
