/** The gateway without its engine, as a setting has it. */
import { expect, it } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { createSupergraphManager } from '#gateway/supergraph/version.ts'
import type { TransportResolver } from '#gateway/transport/transport.ts'
import { openTestApp } from '../../support/stack.ts'

const noSubgraphs: TransportResolver = () => ({
  source: { process: async () => ({ data: null }) },
  events: { subscribe: () => Promise.reject(new Error('there are no events')) },
})

it('PREP-02 nothing is compiled where that is turned off', async () => {
  await using opened = await openTestApp({ env: { COMPILED: '0' } })
  const manager = await createSupergraphManager(opened.app, noSubgraphs, readSupergraph())
  await manager.current().prepare(['{ me { id } }'])
  expect(manager.current().operations).toBeUndefined()
  await manager.stop()
})
