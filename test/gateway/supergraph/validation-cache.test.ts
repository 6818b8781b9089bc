/** A supergraph is looked through until it was found valid; one that was not is refused each time. */
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { loadServices } from '#gateway/load-services.ts'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { validityFile } from '#gateway/supergraph/gateway.ts'
import { openTestApp, type TestApp } from '#test/support/stack.ts'

let opened: TestApp
beforeAll(async () => {
  opened = await openTestApp({ env: {} })
})
afterAll(() => opened?.[Symbol.asyncDispose]())

/** A text that nobody has loaded yet. */
const fresh = (sdl: string) => `${sdl}\n# ${randomUUID()}\n`

/** Starts and stops a server on this supergraph. */
const load = async (supergraphSdl: string) => {
  const server = await createAllInOne(opened.app, {
    services: await loadServices(opened.app),
    supergraphSdl,
  })
  await server.stop()
}

/** Supergraph whose API schema is valid, but whose part of a subgraph is not: only the validation finds that. */
const INVALID = `${readSupergraph()}
interface Named @join__type(graph: PREPAID) { name: String! }
type Nameless implements Named @join__implements(graph: PREPAID, interface: "Named")
  @join__type(graph: PREPAID) @join__type(graph: LOYALTY) {
  number: Int @join__field(graph: PREPAID) name: String! @join__field(graph: LOYALTY) }`

it('VALID-01 a supergraph that was loaded is known as valid from then on', async () => {
  const sdl = fresh(readSupergraph())
  expect(existsSync(validityFile(sdl))).toBe(false)
  try {
    await load(sdl)
    expect(existsSync(validityFile(sdl))).toBe(true)
    await load(sdl)
  } finally {
    rmSync(validityFile(sdl), { force: true })
  }
})

it('VALID-02 an invalid one is refused each time', async () => {
  const sdl = fresh(INVALID)
  for (let turn = 0; turn < 2; turn++)
    await expect(load(sdl)).rejects.toThrow('extracting subgraph "prepaid"')
  expect(existsSync(validityFile(sdl))).toBe(false)
})
