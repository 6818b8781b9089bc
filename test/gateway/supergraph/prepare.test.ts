/** Operations that are ready before they are sent: under a new supergraph, known ones are planned before it serves. */
import { expect, it } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { createSupergraphManager } from '#gateway/supergraph/manager.ts'
import type { TransportResolver } from '#gateway/transport/transport.ts'
import { openTestApp } from '../../support/stack.ts'

const nowhere: TransportResolver = () => ({
  source: { process: async () => ({ data: null }) },
  events: { subscribe: () => Promise.reject(new Error('there are no events')) },
})

const ME = '{ me { id } }'
const KIND = 'query Kind($id: ID!) { transaction(id: $id) { kind } }'

it('PREP-01 what was sent most is ready when another supergraph takes over, and nothing that it refuses', async () => {
  await using opened = await openTestApp()
  const manager = await createSupergraphManager(opened.app, nowhere, readSupergraph())
  const first = manager.current()
  await first.prepare([ME, KIND, '{ nothing }', '{ me {'])
  expect(first.compiled.mostUsed(9).toSorted()).toEqual([KIND, ME])
  first.compiled.byText(KIND)
  expect(first.compiled.mostUsed(1)).toEqual([KIND])
  await manager.replace(`${readSupergraph()}\n# another`)
  const second = manager.current()
  expect(second).not.toBe(first)
  expect(second.compiled.mostUsed(9).toSorted()).toEqual([KIND, ME])
  await manager.stop()
})

it('PREP-02 nothing is compiled where that is turned off', async () => {
  await using opened = await openTestApp({ env: { COMPILED: '0' } })
  const manager = await createSupergraphManager(opened.app, nowhere, readSupergraph())
  await manager.current().prepare([ME])
  expect(manager.current().compiled.mostUsed(9)).toEqual([])
  await manager.stop()
})
