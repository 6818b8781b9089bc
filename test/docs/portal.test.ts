/**
 * The snippets and operations of docs/portal.md: compiled with Apollo Client and urql, generated from, and held against
 * the schema.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodegenConfig } from '@graphql-codegen/cli'
import {
  buildSchema,
  type GraphQLObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  validate,
} from 'graphql'
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { hashOf } from '#core/config/trusted-documents.ts'
import { blocksOf } from '../support/docs.ts'
import { findFiles, readText } from '../support/sources.ts'
import { generateFrom, SNIPPETS, writeProject, writeTypes } from './snippets.ts'

const schema = buildSchema(readText('schema/api.graphql'))
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))
const objects = types.filter(isObjectType)
const project = writeProject()
afterAll(() => project[Symbol.dispose]())

const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'esnext',
  module: 'preserve',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
  resolveJsonModule: true,
  jsx: 'react-jsx',
}

const MANIFEST = JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations: [] })

it('DOCS-40 MUST give snippets that compile', async () => {
  await writeTypes(project)
  const desk = SNIPPETS.get('src/desk.tsx')!.replace('./apollo-follow.ts', './urql-follow.ts')
  const more = { 'src/desk-urql.tsx': desk, 'persisted-query-manifest.json': MANIFEST }
  const files = [...SNIPPETS.keys(), ...Object.keys(more)]
  for (const [file, text] of Object.entries(more)) writeFileSync(join(project.folder, file), text)
  writeFileSync(join(project.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }))
  const { status, stdout } = spawnSync('node', ['node_modules/typescript/bin/tsc', '-p', project.folder])
  expect({ status, faults: String(stdout) }).toEqual({ status: 0, faults: '' })
})

it('DOCS-41 MUST give operations that the graph knows', () => {
  const operations = blocksOf(readText('docs/portal.md')).filter(({ language }) => language === 'graphql')
  expect(operations.length).toBeGreaterThan(1)
  expect(operations.flatMap(({ text }) => validate(schema, parse(text)))).toEqual([])
})

it('DOCS-49 MUST give each operation a document and a name of its own, as tools that write manifests want it', () => {
  const snippets = blocksOf(readText('docs/portal.md')).filter(({ language }) => language === 'graphql')
  const texts = [
    ...snippets.map(({ text }) => text),
    ...findFiles('schema/operations/*.graphql').map(readText),
  ]
  const documents = texts.map(text =>
    parse(text).definitions.map(one => ('name' in one ? one.name?.value : undefined)),
  )
  expect(documents).toEqual(documents.map(() => [expect.any(String)]))
  const names = documents.flat()
  expect(names).toEqual([...new Set(names)])
  expect(names.length).toBeGreaterThan(10)
})

it('DOCS-42 MUST generate types in which every scalar has one', async () => {
  const { default: config } = await project.load<{ default: CodegenConfig }>('codegen.ts')
  const [output] = Object.values(config.generates)
  const scalars = types.filter(isScalarType).filter(type => !isSpecifiedScalarType(type))
  expect(Object.keys((output as { config: { scalars: object } }).config.scalars).toSorted()).toEqual(
    scalars.map(({ name }) => name).toSorted(),
  )
  const files = await generateFrom(project, findFiles('schema/{operations,examples}/*.graphql'))
  const content = files.get('src/gql/graphql.ts')!
  expect(content).toContain('  amount: number | string;')
  expect(content).toMatch(/Customer360Query = .*\btotalDues: number\b/)
  expect(content).not.toMatch(/: (any|unknown)\b(?! })/)
})

it('DOCS-45 MUST generate a manifest of trusted documents that the server reads', async () => {
  const [hashAlgorithm] = /persistedDocuments: \{ hashAlgorithm: '(\w+)' \}/
    .exec(readText('docs/portal.md'))!
    .slice(1)
  const more = { presetConfig: { persistedDocuments: { hashAlgorithm } } }
  const files = await generateFrom(project, findFiles('schema/operations/*.graphql'), more)
  const path = join(project.folder, 'persisted-documents.json')
  writeFileSync(path, files.get('src/gql/persisted-documents.json')!)
  const { documents } = readConfig({ TRUSTED_DOCUMENTS: path }).trusted
  expect(documents).toHaveLength(findFiles('schema/operations/*.graphql').length)
  for (const { id, text } of documents) {
    expect(id).toBe(`sha256:${hashOf(text)}`)
    expect(validate(schema, parse(text))).toEqual([])
  }
})

const KEYS = ['id', ...findFiles('schema/*.graphql').flatMap(file => keysIn(readText(file)))]
function keysIn(sdl: string) {
  return [...sdl.matchAll(/@key\(fields: "(\w+)"/g)].map(([, field]) => field!)
}

/** The fields by which a type is found, as the federation and the interfaces name them. */
const keysOf = (type: GraphQLObjectType) =>
  [...new Set(KEYS)].filter(
    key => key in type.getFields() && String(type.getFields()[key]!.type).endsWith('!'),
  )

const ROOTS = ['Query', 'Mutation', 'Subscription']
/** An event's detail repeats the id of its transaction: it is not found by it. */
const entities = objects.filter(
  type => keysOf(type).length > 0 && !/(EventDetail|Info|Transaction)$/.test(type.name),
)

/** Lists in pages, as `Type.field`, with what tells them apart. */
const paged = objects.flatMap(type =>
  Object.values(type.getFields())
    .filter(field => String(field.type).endsWith('Connection'))
    .map(({ name, args }) => ({
      ...{ type: type.name, name },
      keyArgs: args.map(arg => arg.name).filter(arg => !['first', 'after', 'last', 'before'].includes(arg)),
    })),
)

type KeyFields = (object: object, context: { typename: string; readField: typeof readField }) => unknown
const readField = (name: string, object: object) => (object as Record<string, unknown>)[name]

interface Policies {
  readonly typePolicies: Record<
    string,
    { keyFields?: KeyFields; fields?: Record<string, { keyArgs: string[] | false }> }
  >
  readonly possibleTypes: Record<string, string[]>
}

it('DOCS-43 MUST give Apollo Client the key of each entity and the pages of each list', async () => {
  const { typePolicies, possibleTypes } = await project.load<Policies>('src/type-policies.ts')
  expect(
    Object.keys(typePolicies)
      .filter(name => name !== 'Query')
      .toSorted(),
  ).toEqual(entities.map(({ name }) => name).toSorted())
  for (const type of entities)
    for (const key of keysOf(type)) {
      const found = typePolicies[type.name]!.keyFields!({ [key]: 'x' }, { typename: type.name, readField })
      expect(found).toBe(`${type.name}:x`)
    }
  const lists = Object.entries(typePolicies).flatMap(([type, { fields = {} }]) =>
    Object.entries(fields).map(([name, { keyArgs }]) => ({ type, name, keyArgs: keyArgs || [] })),
  )
  const sorted = (all: typeof lists) => all.map(one => JSON.stringify(one)).toSorted()
  expect(sorted(lists)).toEqual(sorted(paged))
  const interfaces = types.filter(isInterfaceType)
  expect(possibleTypes).toEqual(
    Object.fromEntries(
      interfaces.map(type => [
        type.name,
        schema
          .getPossibleTypes(type)
          .map(({ name }) => name)
          .toSorted(),
      ]),
    ),
  )
})

interface Graphcache {
  readonly keys: Record<string, (data: object) => string | null>
  readonly resolvers: Record<string, Record<string, unknown>>
}

it('DOCS-44 MUST give urql the key of each type and the pages of each list', async () => {
  const { keys, resolvers } = await project.load<Graphcache>('src/graphcache.ts')
  const named = objects.map(({ name }) => name).filter(name => !ROOTS.includes(name))
  expect(Object.keys(keys).toSorted()).toEqual(named.toSorted())
  const found = named.filter(name => KEYS.some(key => keys[name]!({ [key]: 'x' }) === 'x'))
  expect(found.toSorted()).toEqual(entities.map(({ name }) => name).toSorted())
  for (const type of entities)
    for (const key of keysOf(type)) expect(keys[type.name]!({ [key]: 'x' })).toBe('x')
  const lists = Object.entries(resolvers).flatMap(([type, fields]) =>
    Object.keys(fields).map(name => `${type}.${name}`),
  )
  expect(lists.toSorted()).toEqual(paged.map(({ type, name }) => `${type}.${name}`).toSorted())
})
