/**
 * Records the suites anew from a clone of the audit (see README.md):
 *
 *     node test/engine/gateway/audit/record.ts <clone>
 *
 * Each of its queries is executed by Apollo Gateway over the audit's own resolvers, and what each subgraph receives and
 * answers is written down, so that the suites here are data alone.
 */
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { execute, type GraphQLSchema, parse } from 'graphql'
import { stringify } from 'yaml'
import { compose } from '#gateway/supergraph/document.ts'
import { openBothWays } from '../support/both-ways.ts'
import type { Answerer } from '../support/mock-subgraphs.ts'
import { type AuditOperation, FOLDER, type Recorded, type RecordedSuite } from './suites.ts'

/** Server in place of the audit's own. */
const STUBS = {
  'subgraph.ts': 'export const createSubgraph = (name, parts) => ({ name, ...parts })',
  'supergraph.ts': 'export const serve = (id, subgraphs, tests) => ({ id, subgraphs, tests })',
  'testkit.ts': 'export const createTest = (query, expected) => ({ query, expected })',
  'env.ts': 'export const shouldPunishForPoorPlans = () => true',
}

type Case = Pick<AuditOperation, 'query' | 'expected'>
type Subgraph = { name: string; typeDefs: string; resolvers: Parameters<typeof toSchema>[0]['resolvers'] }
type Loaded = { id: string; subgraphs: Subgraph[]; tests: Case[] | (() => Case[]) }

const toSchema = ({ typeDefs, resolvers }: { typeDefs: string; resolvers: object }): GraphQLSchema =>
  buildSubgraphSchema({
    typeDefs: parse(typeDefs),
    resolvers: resolvers as Record<string, Record<string, () => unknown>>,
  })

/** A copy of the suites that Node can load, within the project so that packages are found. */
const copySuites = (clone: string): string => {
  const scratch = mkdtempSync(join(import.meta.dirname, 'scratch-'))
  cpSync(join(clone, 'src/test-suites'), join(scratch, 'test-suites'), { recursive: true })
  for (const [name, text] of Object.entries(STUBS)) writeFileSync(join(scratch, name), text)
  for (const file of globSync('test-suites/**/*.ts', { cwd: scratch })) {
    const text = readFileSync(join(scratch, file), 'utf8')
    writeFileSync(join(scratch, file), text.replace(/(from\s+"\.[^"]*)\.js"/g, '$1.ts"'))
  }
  return scratch
}

const recording = (schemas: ReadonlyMap<string, GraphQLSchema>, fetches: Recorded[]): Answerer => {
  return async (subgraph, question) => {
    const variableValues = structuredClone(question.variables)
    const schema = schemas.get(subgraph)!
    const answer = JSON.stringify(
      await execute({ schema, document: parse(question.query), variableValues, contextValue: {} }),
    )
    fetches.push({ subgraph, ...question, answer })
    return answer
  }
}

const record = async ({ subgraphs, tests }: Loaded): Promise<RecordedSuite> => {
  const documents = subgraphs.map(({ name, typeDefs }) => ({
    name,
    typeDefs: parse(typeDefs),
    url: `http://${name}`,
  }))
  await using both = await openBothWays(compose(documents))
  const schemas = new Map(subgraphs.map(one => [one.name, toSchema(one)]))
  const operations: AuditOperation[] = []
  for (const { query, expected } of typeof tests === 'function' ? tests() : tests) {
    const fetches: Recorded[] = []
    await both.byApollo({ document: parse(query), text: query }, recording(schemas, fetches))
    operations.push({ query, expected, fetches })
  }
  return { subgraphs: subgraphs.map(({ name, typeDefs }) => ({ name, sdl: typeDefs })), operations }
}

/** The audit indents what it writes within its code. */
const dedent = (text: string): string => {
  const lines = text.split('\n').map(line => line.trimEnd())
  const indent = Math.min(...lines.filter(Boolean).map(line => line.length - line.trimStart().length))
  return `${lines
    .map(line => line.slice(indent))
    .join('\n')
    .trim()}\n`
}

const dedented = ({ subgraphs, operations }: RecordedSuite): RecordedSuite => ({
  subgraphs: subgraphs.map(one => ({ ...one, sdl: dedent(one.sdl) })),
  operations: operations.map(one => ({ ...one, query: dedent(one.query) })),
})

const scratch = copySuites(process.argv[2]!)
try {
  for (const file of globSync('test-suites/*/index.ts', { cwd: scratch }).toSorted()) {
    const loaded = ((await import(join(scratch, file))) as { default: Loaded }).default
    const suite = dedented(await record(loaded))
    writeFileSync(
      join(FOLDER, `${loaded.id}.yaml`),
      stringify(suite, { lineWidth: 0, aliasDuplicateObjects: false }),
    )
    console.log(`${loaded.id}: ${suite.operations.length}`)
  }
} finally {
  rmSync(scratch, { recursive: true })
}
