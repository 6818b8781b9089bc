/** The rules of docs/architecture.md that a program can check: what looks alike, what is documented. */

import { basename, dirname } from 'node:path'
import { buildASTSchema, type GraphQLObjectType, getNamedType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { typeDefsOf } from '#core/contract/sdl.ts'
import { STATUS_OF } from '#core/errors/catalogue.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { within } from './support/architecture.ts'
import { documentedOperations, readOpenApi, resolveRef } from './support/openapi.ts'
import { findFiles, readText, SOURCES, sourcesIn } from './support/sources.ts'

const KINDS = await loadKinds()

const REST = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)

describe('likeness', () => {
  it.each(REST)('ARCH-10 MUST have the same files as its sisters: %s', name => {
    const all = ['graph.generated', 'index', 'kind', 'operations', 'resolvers', 'rest.generated', 'rules']
    // What one service alone has stands in a folder of its own.
    const folder = `subgraphs/${name}`
    const own = sourcesIn(folder).filter(({ file }) => dirname(file) === folder)
    const files = own.map(({ file }) => basename(file))
    expect(files).toEqual(all.map(one => `${one}.ts`))
  })

  it.each(SERVICES)('ARCH-11 MUST have an index.ts that is one sentence: $name', ({ name }) => {
    const [index] = sourcesIn(`subgraphs/${name}/index.ts`)
    expect(index!.lines).toBeLessThan(20)
    expect(index!.text).toMatch(/export default defineSubgraph\(\{/)
  })

  it.each(SERVICES)('ARCH-12 MUST have its documents in schema/: $name', ({ name, rest }) => {
    expect(findFiles(`schema/${name}.graphql`)).toHaveLength(1)
    expect(findFiles(`schema/${name}.openapi.yaml`)).toHaveLength(rest ? 1 : 0)
  })

  it('ARCH-13 MUST have one folder for each name, and no more', () => {
    const folders = new Set(sourcesIn('subgraphs').map(({ file }) => file.split('/')[1]!))
    const entry = ['load.ts', 'main.ts', 'names.ts', 'subgraph-server.ts']
    const named = [...SERVICES.map(({ name }) => name), ...entry]
    expect([...folders].toSorted()).toEqual(named.toSorted())
  })

  it('ARCH-14 MUST open with a sentence that says what the file is for', () => {
    const silent = SOURCES.filter(
      ({ file, text, generated }) =>
        !generated &&
        within('core', 'subgraphs', 'gateway', 'engine', 'connectors', 'topology', 'prisma', 'cli')(file) &&
        !/^(#!.*\n)?\/\*\*?/.test(text),
    )
    expect(silent.map(({ file }) => file)).toEqual([])
  })

  it('ARCH-15 MUST not be longer than 250 lines', () => {
    const long = SOURCES.filter(
      ({ file, lines, generated }) =>
        !generated && !within('test', 'bench', 'portal/src/i18n')(file) && lines > 250,
    )
    expect(long.map(({ file, lines }) => `${file}: ${lines}`)).toEqual([])
  })

  it('ARCH-16 MUST be strict: no any, no ignored checks in the product', () => {
    const loose = SOURCES.filter(
      ({ file, text, generated }) =>
        !generated &&
        !within('test', 'bench')(file) &&
        /@ts-(ignore|nocheck|expect-error)|: any\b|as any\b/.test(text),
    )
    expect(loose.map(({ file }) => file)).toEqual([])
  })
})

/** The statuses that the contract declares for each kind of operation, beside success. */
const DECLARED: Record<string, string[]> = {
  create: ['400', '401', '403', '409', '500', '503', '504'],
  list: ['400', '401', '403', '500', '503', '504'],
  get: ['400', '401', '403', '404', '500', '503', '504'],
  inquire: ['400', '401', '403', '409', '500', '503', '504'],
  send: ['400', '401', '403', '409', '500', '503', '504'],
}

const codesOf = (service: string) => {
  const document = readOpenApi(service)
  const info = resolveRef(document, { $ref: '#/components/schemas/ErrorInfo' }) as {
    properties: { code: { enum: string[] } }
  }
  return info.properties.code.enum
}

describe('documents', () => {
  const operations = REST.flatMap(documentedOperations)

  it.each(operations)(
    "ARCH-20 MUST say who may call it, and declare the contract's statuses: $operationId",
    operation => {
      const { operationId, roles, responses } = operation
      expect(roles.length).toBeGreaterThan(0)
      expect(['partner', 'portal', 'analyst']).toEqual(expect.arrayContaining([...roles]))
      const [, verb] = /^([a-z]+)[A-Z]/.exec(operationId)!
      expect(
        Object.keys(responses)
          .filter(status => status >= '400')
          .toSorted(),
      ).toEqual(DECLARED[verb!])
      for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty('x-correlator')
    },
  )

  it.each(SERVICES)('ARCH-23 MUST let every subscription be resumed: $name', ({ name }) => {
    const schema = buildASTSchema(typeDefsOf(name, KINDS), { assumeValidSDL: true })
    const fields = Object.values(schema.getSubscriptionType()!.getFields())
    for (const { args, type } of fields) {
      expect(args.map(arg => `${arg.name}: ${arg.type}`)).toContain('after: String')
      const event = getNamedType(type) as GraphQLObjectType
      expect(String(event.getFields()['cursor']?.type)).toBe('String!')
    }
  })

  it('ARCH-21 MUST explain every code of the catalogue, and no other', () => {
    const documented = new Set(REST.flatMap(codesOf))
    expect([...documented].toSorted()).toEqual(Object.keys(STATUS_OF).toSorted())
  })

  it('ARCH-22 MUST name in docs/ every setting that is read', () => {
    const text = sourcesIn('core/config')
      .map(source => source.text)
      .join('\n')
    const names = [...text.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!)
    const pages = findFiles('{docs/**/*.md,README.md}').map(readText).join('\n')
    const silent = [...new Set(names)].filter(name => !pages.includes(name))
    expect(findFiles('README.md').length === 0 ? [] : silent).toEqual([])
  })
})
