/** A client is removed while what it posts is on its way: it has no transactions, or it is there still. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeClient } from '#cli/client-records.ts'
import { graphOf, restOf } from '../support/both-interfaces.ts'
import { FIXTURES } from '../support/fixtures/all.ts'
import { type Stack, startStack } from '../support/stack.ts'

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
})
afterAll(() => stack[Symbol.asyncDispose]())

const isThere = async (id: string) => (await stack.app.db.client.count({ where: { id } })) === 1

describe.each(FIXTURES)('$name', ({ kind, path, body, idField }) => {
  const post = (token: string) => restOf(stack)('POST', path, { token, body: body() })
  const newClient = async (name: string) => {
    const id = `removed-${kind}-${name}`.toLowerCase()
    return { id, token: await stack.token({ id, role: 'partner', dummyCards: true }) }
  }

  it('REMOVED-01 refuses what a client posts that was there a moment ago', async () => {
    const { id, token } = await newClient('known')
    expect((await graphOf(stack)('{ me { id } }', { token })).errors).toEqual([])
    await removeClient(stack.app.db, id)
    const { status, body } = await post(token)
    expect([status, body.code, body[idField]]).toEqual([401, 'UNAUTHORIZED', undefined])
  })

  it('REMOVED-02 leaves no transaction of a client that is not there, in either order', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, token } = await newClient(`round-${round}`)
      const [posted, removed] = await Promise.all([
        Promise.all([post(token), post(token)]),
        removeClient(stack.app.db, id).then(
          () => true,
          () => false,
        ),
      ])
      const accepted = posted.filter(({ status }) => status === 201).length
      expect([await isThere(id), accepted > 0]).toEqual([!removed, !removed])
    }
  })
})
