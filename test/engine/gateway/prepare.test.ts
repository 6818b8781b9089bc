/** Operations that are ready before they are sent: under a new supergraph, known ones are planned before it serves. */
import { expect, it } from 'vitest'
import { executeAll } from '#gateway/operation/stored-answers.ts'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { createSupergraphManager, type SupergraphVersion } from '#gateway/supergraph/version.ts'
import type { TransportResolver } from '#gateway/transport/transport.ts'
import { openTestApp } from '#test/support/stack.ts'

const nowhere: TransportResolver = () => ({
  source: { process: async () => ({ data: null }) },
  events: { subscribe: () => Promise.reject(new Error('there are no events')) },
})

const ME = '{ me { id } }'
const KIND = 'query Kind($id: ID!) { transaction(id: $id) { kind } }'

/** Sends a request that its client's quota refuses: it was sent all the same. */
const sendRefused = ({ operations }: SupergraphVersion, body: object) =>
  operations!.createFastPath({
    contextOf: () => expect.unreachable('nothing is executed'),
    byApollo: async () => '',
    persistedQueries: { has: () => false },
    extensionsOf: () => undefined,
    answerOrRepeat: executeAll,
    spendCost() {
      throw new Error('no quota is left')
    },
  })({ method: 'POST', body } as never, {} as never)

it('PREP-01 what was sent most is ready when another supergraph takes over, and nothing that it refuses', async () => {
  await using opened = await openTestApp()
  const manager = await createSupergraphManager(opened.app, nowhere, readSupergraph())
  const first = manager.current()
  await first.prepare([ME, KIND, '{ nothing }', '{ me {'])
  const { operations } = first
  expect(operations!.mostUsed(9).toSorted()).toEqual([KIND, ME])
  await sendRefused(first, { query: KIND, variables: { id: 'payment/1' } })
  expect(operations!.mostUsed(1)).toEqual([KIND])
  await manager.replace(`${readSupergraph()}\n# another`)
  const second = manager.current()
  expect(second).not.toBe(first)
  expect(second.operations!.mostUsed(9).toSorted()).toEqual([KIND, ME])
  await manager.stop()
})
