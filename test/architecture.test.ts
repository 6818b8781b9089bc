/** The rules of docs/architecture.md that a program can check: who imports whom, what looks alike, what is documented. */

import { basename, dirname } from 'node:path'
import { buildASTSchema, type GraphQLObjectType, getNamedType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { loadKinds } from '../subgraphs/load.ts'
import { SERVICES } from '../subgraphs/names.ts'
import { typeDefsOf } from '../subgraphs/shared/contract/sdl.ts'
import { STATUS_OF } from '../subgraphs/shared/errors/catalogue.ts'
import { firstColumn, sectionOf } from './support/docs.ts'
import { againstOrder, circlesOf, foldersOf } from './support/import-graph.ts'
import { documentedOperations, readOpenApi, resolveRef } from './support/openapi.ts'
import { findFiles, readText, SOURCES, type Source, sourcesIn } from './support/sources.ts'

const KINDS = await loadKinds()
const REST = SERVICES.filter(({ rest }) => rest).map(({ name }) => name)
const isOwn = (name: string) => name.includes('/') && name.endsWith('.ts') && !name.includes('${')

/** Each import that leaves what is allowed, as `file imports file`. */
const trespasses = (sources: readonly Source[], allowed: (to: string, from: string) => boolean) =>
  sources.flatMap(({ file, imports }) =>
    imports.filter(to => isOwn(to) && !allowed(to, file)).map(to => `${file} imports ${to}`),
  )

const within =
  (...folders: string[]) =>
  (to: string) =>
    folders.some(folder => to === folder || to.startsWith(`${folder}/`))

describe('imports', () => {
  it('ARCH-01 MUST be none in names.ts', () => {
    expect(sourcesIn('subgraphs/names.ts').flatMap(({ imports }) => imports)).toEqual([])
  })

  it.each(SERVICES)('ARCH-02 MUST stay in its own folder and shared/: $name', ({ name }) => {
    const folder = `subgraphs/${name}`
    expect(sourcesIn(folder).length).toBeGreaterThan(0)
    expect(trespasses(sourcesIn(folder), within(folder, 'subgraphs/shared'))).toEqual([])
  })

  it('ARCH-03 MUST lead from shared/ to no service and not to the gateway', () => {
    const allowed = within('subgraphs/shared', 'subgraphs/names.ts', 'prisma/generated')
    expect(trespasses(sourcesIn('subgraphs/shared'), allowed)).toEqual([])
  })

  it('ARCH-04 MUST reach the generated client and the drivers from shared/, prisma/ and cli/ alone', () => {
    const touches = (name: string) =>
      name.startsWith('prisma/generated') || /^(@prisma\/|pg$|@electric-sql\/|pglite-)/.test(name)
    const others = SOURCES.filter(
      ({ file }) => !within('subgraphs/shared', 'prisma', 'cli', 'test', 'bench')(file),
    )
    const found = others.filter(({ imports }) => imports.some(touches)).map(({ file }) => file)
    expect(found).toEqual(found.filter(file => file === 'prisma.config.ts' || file === 'codegen.ts'))
  })

  it('ARCH-05 MUST lead to services through load.ts alone, from the two that put servers together and where documents are composed', () => {
    const demo = 'prisma/demo/seed.ts'
    const allowed = within('gateway', 'subgraphs/shared', 'subgraphs/names.ts', 'subgraphs/load.ts', demo)
    expect(trespasses(sourcesIn('gateway'), allowed)).toEqual([])
    const product = SOURCES.filter(({ file }) => within('gateway', 'subgraphs')(file))
    // A name that is written out is among a file's imports, whenever it is loaded.
    const dynamic = product.filter(({ text }) => /import\([^']/.test(text))
    expect(dynamic.map(({ file }) => file)).toEqual(['subgraphs/load.ts'])
    const loading = product.filter(({ imports }) => imports.includes('subgraphs/load.ts'))
    expect(loading.map(({ file }) => file)).toEqual([
      'gateway/compose.ts',
      'gateway/load-services.ts',
      'subgraphs/subgraph-server.ts',
    ])
  })

  it('ARCH-09 MUST lead from the entry of a service alone to what is shared and to load.ts', () => {
    const entry = ['subgraphs/main.ts', 'subgraphs/subgraph-server.ts', 'subgraphs/load.ts']
    const allowed = within('subgraphs/shared', 'subgraphs/names.ts', 'prisma/demo/seed.ts', ...entry)
    expect(trespasses(entry.flatMap(sourcesIn), allowed)).toEqual([])
  })

  it('ARCH-06 MUST lead from nowhere into test/ or bench/', () => {
    const product = SOURCES.filter(({ file }) => !within('test', 'bench')(file))
    expect(trespasses(product, to => !within('test', 'bench')(to))).toEqual([])
  })

  it('ARCH-07 MUST read the environment in config.ts alone', () => {
    const free = within(
      'test',
      'bench',
      'prisma/install.ts',
      'vitest.config.ts',
      'subgraphs/shared/config/config.ts',
    )
    const readers = SOURCES.filter(
      ({ file, text, generated }) => !generated && !free(file) && /process\.env\b/.test(text),
    )
    expect(readers.map(({ file }) => file)).toEqual([])
  })

  it('ARCH-08 MUST exist', () => {
    const known = new Set(SOURCES.map(({ file }) => file))
    const missing = trespasses(SOURCES, to => known.has(to) || to.startsWith('prisma/generated'))
    expect(missing.filter(one => !/imports (graphql|@|fastify|vitest|ajv)/.test(one))).toEqual([])
  })
})

/** The folders bottom up, as docs/architecture.md lists them: each imports only from those before it. */
const orderIn = (heading: string) =>
  firstColumn(sectionOf(readText('docs/architecture.md'), heading)).map(folder => folder.replace(/\/$/, ''))

/** Which parts of the product may import which others, whatever they hold. */
const PRODUCT = SOURCES.filter(
  ({ file }) =>
    within('subgraphs', 'gateway', 'prisma', 'cli')(file) && !file.startsWith('prisma/generated/'),
)

describe('order', () => {
  it.each([
    { base: 'subgraphs/shared', order: orderIn('Inside subgraphs/shared') },
    { base: 'gateway', order: orderIn('Inside gateway') },
  ])(
    'ARCH-30 MUST let a folder of $base import only what stands above it in docs/architecture.md, types included',
    ({ base, order }) => {
      expect(foldersOf(PRODUCT, base).toSorted()).toEqual(order.toSorted())
      expect(againstOrder(PRODUCT, base, order)).toEqual([])
    },
  )

  it('ARCH-31 MUST have no circle of files', () => {
    expect(circlesOf(PRODUCT, file => file)).toEqual([])
  })

  it.each(['subgraphs/shared', 'gateway'])('ARCH-32 MUST have no circle of folders: %s', base => {
    const inside = PRODUCT.filter(({ file }) => file.startsWith(`${base}/`))
    expect(circlesOf(inside, file => file.split('/').slice(0, -1).join('/'))).toEqual([])
  })

  it('ARCH-33 MUST hand demo data in from the entry points alone', () => {
    const seeding = PRODUCT.filter(
      ({ file, imports }) =>
        !file.startsWith('prisma/demo/') && imports.some(to => to.startsWith('prisma/demo/')),
    )
    expect(seeding.map(({ file }) => file)).toEqual([
      'cli/open.ts',
      'gateway/gateway-only.ts',
      'gateway/main.ts',
      'gateway/start-all.ts',
      'subgraphs/main.ts',
    ])
  })
})

describe('likeness', () => {
  it.each(REST)('ARCH-10 MUST have the same files as its sisters: %s', name => {
    const all = [
      'errors',
      'graph.generated',
      'index',
      'kind',
      'operations',
      'resolvers',
      'rest.generated',
      'rules',
      'service',
    ]
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
    const named = [...SERVICES.map(({ name }) => name), ...entry, 'shared']
    expect([...folders].toSorted()).toEqual(named.toSorted())
  })

  it('ARCH-14 MUST open with a sentence that says what the file is for', () => {
    const silent = SOURCES.filter(
      ({ file, text, generated }) =>
        !generated &&
        within('subgraphs', 'gateway', 'prisma', 'cli')(file) &&
        !/^(#!.*\n)?\/\*\*?/.test(text),
    )
    expect(silent.map(({ file }) => file)).toEqual([])
  })

  it('ARCH-15 MUST not be longer than 250 lines', () => {
    const long = SOURCES.filter(
      ({ file, lines, generated }) => !generated && !within('test', 'bench')(file) && lines > 250,
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
    const text = sourcesIn('subgraphs/shared/config')
      .map(source => source.text)
      .join('\n')
    const names = [...text.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!)
    const pages = findFiles('{docs/**/*.md,README.md}').map(readText).join('\n')
    const silent = [...new Set(names)].filter(name => !pages.includes(name))
    expect(findFiles('README.md').length === 0 ? [] : silent).toEqual([])
  })
})
