/** Servers that the tests over the wire share: two, one of them without compiled operations. */

import { afterAll, beforeAll } from 'vitest'
import { openWire, TIMEOUT, type Wire } from './support/wire.ts'

export let wire: Wire

/** Starts both servers before the file's tests. */
export const useWire = () => {
  beforeAll(async () => {
    wire = await openWire()
  }, TIMEOUT)
  afterAll(async () => {
    await wire?.[Symbol.asyncDispose]()
  })
}
