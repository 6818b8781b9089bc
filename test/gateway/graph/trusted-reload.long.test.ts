/** A supergraph that a trusted document no longer fits: that one is refused, and named in the log; the others go on. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, print, visit } from 'graphql'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readSupergraph } from '#gateway/supergraph/document.ts'
import { type Stack, startStack } from '../../support/stack.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-graph-'))
const supergraph = join(folder, 'supergraph.graphql')
const manifest = join(folder, 'manifest.json')
const logLines: string[] = []
const original = readSupergraph()

let stack: Stack
let token: string
beforeAll(async () => {
  writeFileSync(supergraph, original)
  writeFileSync(
    manifest,
    JSON.stringify({ me: 'query Me { me { id } }', count: 'query Count { payments { totalCount } }' }),
  )
  const env = { SUPERGRAPH: supergraph, TRUSTED_DOCUMENTS: manifest, TRUSTED_ONLY: '1', LOG_LEVEL: 'info' }
  stack = await startStack({ env, logLines })
  token = await stack.token()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const withoutMe = print(
  visit(parse(original), {
    ObjectTypeDefinition: node =>
      node.name.value === 'Query'
        ? { ...node, fields: node.fields?.filter(({ name }) => name.value !== 'me') }
        : undefined,
  }),
)

const served = async (sdl: string) => {
  const count = () => logLines.filter(line => line.includes('new supergraph in service')).length
  const before = count()
  writeFileSync(`${supergraph}.next`, sdl)
  renameSync(`${supergraph}.next`, supergraph)
  await vi.waitFor(() => expect(count()).toBe(before + 1), { timeout: 10_000, interval: 20 })
}

const ask = async (documentId: string) => {
  const response = await fetch(`${stack.address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ documentId }),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

test('TRUSTED-60 a document that a new supergraph does not fit is named, refused alone, and served again', async () => {
  const count = { status: 200, data: { payments: { totalCount: 0 } } }
  expect(await ask('me')).toMatchObject({ status: 200 })
  await served(withoutMe)
  const warnings = logLines.map(line => JSON.parse(line)).filter(({ msg }) => /trusted document/.test(msg))
  expect(warnings).toEqual([
    expect.objectContaining({
      level: 40,
      document: 'Me (me)',
      why: expect.stringContaining('Cannot query field "me"'),
    }),
  ])
  expect(await ask('me')).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringContaining('Cannot query field "me"') }],
  })
  expect(await ask('count')).toEqual(count)
  await served(original)
  expect(await ask('me')).toMatchObject({ status: 200, data: { me: { id: 'demo-partner' } } })
  expect(await ask('count')).toEqual(count)
})
