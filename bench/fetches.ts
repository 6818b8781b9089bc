/**
 * Time of the executor itself in each fetch of a customer-360: by graphql-js and compiled, in microseconds. Resolvers
 * give what they gave in a real request on demo data, without asking the database again. `node bench/fetches.ts`
 */
import { deepStrictEqual } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocumentNode, execute, type GraphQLSchema, parse } from 'graphql'
import { readConfig } from '#core/config/config.ts'
import { createLog } from '#core/observability/log.ts'
import { openApp } from '#core/open-app.ts'
import { createCompiledDocuments } from '#engine/subgraph/operation.ts'
import { createAllInOne } from '#gateway/all-in-one.ts'
import { loadServices } from '#gateway/load-services.ts'
import { prepareDemo } from '#prisma/demo/seed.ts'
import { type RecordedFetch, recordSchema } from './lib/recorded.ts'

const QUERY = readFileSync(join(import.meta.dirname, '../schema/operations/customer-360.graphql'), 'utf8')
const NUMBER = '+96891000001'
const BATCH = 20
const BATCHES = 1_000

type Run = () => unknown

const ask = async (server: Awaited<ReturnType<typeof createAllInOne>>, token: string) => {
  const { body } = await server.http.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: { query: QUERY, variables: { n: NUMBER } },
  })
  const { errors } = JSON.parse(body)
  if (errors) throw new Error(JSON.stringify(errors))
}

const timeBatch = async (run: Run): Promise<number> => {
  const start = performance.now()
  for (let round = 0; round < BATCH; round += 1) await run()
  return ((performance.now() - start) * 1_000) / BATCH
}

/** The least of many batches: whatever else the machine does only ever adds to it. */
const leastOf = async (runs: readonly Run[]): Promise<number[]> => {
  const least = runs.map(() => Number.POSITIVE_INFINITY)
  for (let batch = 0; batch < BATCHES; batch += 1)
    for (const [index, run] of runs.entries()) least[index] = Math.min(least[index]!, await timeBatch(run))
  return least
}

const waysOf = (schema: GraphQLSchema, { query, variables, context }: RecordedFetch): Run[] => {
  const document: DocumentNode = parse(query, { noLocation: true })
  const documents = createCompiledDocuments(schema)
  documents.add(document)
  const compiled = documents.find(document)!
  return [
    () => execute({ schema, document, variableValues: variables, contextValue: context }),
    () => compiled({ variableValues: variables, contextValue: context, rootValue: undefined }),
  ]
}

const compare = async (name: string, schema: GraphQLSchema, fetch: RecordedFetch) => {
  const ways = waysOf(schema, fetch)
  const [expected, compiled] = await Promise.all(ways.map(run => run()))
  deepStrictEqual(JSON.stringify(compiled), JSON.stringify(expected))
  const [byGraphqlJs, byFunctions] = await leastOf(ways)
  const text = fetch.query.replaceAll(/\s+/g, ' ').slice(0, 60)
  console.log(
    `${name.padEnd(18)}${byGraphqlJs!.toFixed(1).padStart(8)} µs ${byFunctions!.toFixed(1).padStart(8)} µs  ${text}`,
  )
}

const config = readConfig({ DATA_DIR: 'memory:', DEMO: '1', LOG_LEVEL: 'error', PORT: '0' })
const app = await openApp(config, createLog('error'), prepareDemo)
const services = await loadServices(app)
const recordings = services.map(({ name, schema }) => ({ name, schema, recording: recordSchema(schema) }))
const server = await createAllInOne(app, { services })
try {
  const token = await app.access.issuer!.issue((await app.access.clients.find('demo-analyst'))!)
  await Promise.all(services.map(service => service.settled()))
  await ask(server, token)
  console.log(`${''.padEnd(18)}graphql-js    compiled`)
  for (const { name, schema, recording } of recordings) {
    recording.replay()
    for (const fetch of recording.fetches) await compare(name, schema, fetch)
  }
} finally {
  await server.stop()
  await app.database.close()
}
