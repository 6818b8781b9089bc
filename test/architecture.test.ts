/** The rules of docs/architecture.md that a program can check: who imports whom. */

import { describe, expect, it } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { ABSENT, FLOORS } from './floors/floors.ts'
import { within } from './support/architecture.ts'
import { firstColumn, sectionOf } from './support/docs.ts'
import { againstOrder, circlesOf, foldersOf } from './support/import-graph.ts'
import { readText, SOURCES, type Source, sourcesIn } from './support/sources.ts'

const isOwn = (name: string) => name.includes('/') && name.endsWith('.ts') && !name.includes('${')

/** Each import that leaves what is allowed, as `file imports file`. */
const trespasses = (sources: readonly Source[], allowed: (to: string, from: string) => boolean) =>
  sources.flatMap(({ file, imports }) =>
    imports.filter(to => isOwn(to) && !allowed(to, file)).map(to => `${file} imports ${to}`),
  )

describe('imports', () => {
  it('ARCH-01 MUST be none in names.ts', () => {
    expect(sourcesIn('subgraphs/names.ts').flatMap(({ imports }) => imports)).toEqual([])
  })

  it.each(SERVICES)('ARCH-02 MUST stay in its own folder and core/: $name', ({ name }) => {
    const folder = `subgraphs/${name}`
    expect(sourcesIn(folder).length).toBeGreaterThan(0)
    expect(trespasses(sourcesIn(folder), within(folder, 'core'))).toEqual([])
  })

  it('ARCH-03 MUST lead from core/ to no service and not to the gateway', () => {
    const allowed = within('core', 'engine/main.ts', 'subgraphs/names.ts', 'prisma/generated')
    const others = sourcesIn('core').filter(({ file }) => file !== 'core/connectors.ts')
    expect(trespasses(others, allowed)).toEqual([])
  })

  it('ARCH-11 MUST lead to connectors/ through their registration point alone, and load them there when a setting asks', () => {
    const outside = SOURCES.filter(
      ({ file }) => !within('connectors', 'test', 'bench', 'prove', 'simulators')(file),
    )
    const naming = outside.filter(({ imports }) => imports.some(within('connectors')))
    // The command line names the types of what it is given.
    expect(naming.map(({ file }) => file)).toEqual(['cli/charging.ts', 'core/connectors.ts'])
    const loading = outside.filter(({ calls }) => calls.some(within('connectors')))
    expect(loading.map(({ file }) => file)).toEqual(['core/connectors.ts'])
    expect(loading.filter(({ text }) => /from '#connectors/.test(text))).toEqual([])
  })

  it('ARCH-04 MUST reach the generated client and the drivers from core/, connectors/, prisma/ and cli/ alone', () => {
    const touches = (name: string) =>
      name.startsWith('prisma/generated') || /^(@prisma\/|pg$|@electric-sql\/|pglite-)/.test(name)
    const others = SOURCES.filter(
      ({ file }) => !within('core', 'connectors', 'prisma', 'cli', 'test', 'bench', 'prove')(file),
    )
    const found = others.filter(({ imports }) => imports.some(touches)).map(({ file }) => file)
    expect(found).toEqual(found.filter(file => file === 'prisma.config.ts' || file === 'codegen.ts'))
  })

  it('ARCH-22 MUST reach the drivers of PostgreSQL from core/data/ and what types them alone', () => {
    const isDriver = (name: string) => /^(pg$|@electric-sql\/|pglite-|@prisma\/adapter-)/.test(name)
    const floors = ['core', 'subgraphs', 'gateway', 'engine', 'connectors', 'topology', 'cli'].flatMap(
      sourcesIn,
    )
    const reaching = floors.filter(({ imports }) => imports.some(isDriver)).map(({ file }) => file)
    expect(reaching.length).toBeGreaterThan(0)
    expect(reaching.filter(file => !within('core/data', 'core/third-party')(file))).toEqual([])
  })

  it('ARCH-23 MUST write the raw statements of the five services in core/, but for the batches of messages', () => {
    const services = SERVICES.filter(({ name }) => name !== 'activity').flatMap(({ name }) =>
      sourcesIn(`subgraphs/${name}`),
    )
    const raw = services.filter(({ text }) => /\$(queryRaw|executeRaw|lookUp)\b/.test(text))
    expect(raw.map(({ file }) => file)).toEqual(['subgraphs/messaging/batches/store.ts'])
  })

  it('ARCH-05 MUST lead to services through load.ts alone, from the two that put servers together and where documents are composed', () => {
    const demo = 'prisma/demo/seed.ts'
    const allowed = within('gateway', 'core', 'subgraphs/names.ts', 'subgraphs/load.ts', demo)
    expect(trespasses(sourcesIn('gateway'), allowed)).toEqual([])
    const product = SOURCES.filter(({ file }) =>
      within('core', 'gateway', 'subgraphs', 'engine', 'connectors', 'topology')(file),
    )
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
    const allowed = within('core', 'subgraphs/names.ts', 'prisma/demo/seed.ts', ...entry)
    expect(trespasses(entry.flatMap(sourcesIn), allowed)).toEqual([])
  })

  it.each(FLOORS)(
    'ARCH-17 MUST lead from no test to $name/ or its tests, so that it can be taken away',
    ({ name }) => {
      const floor = within(name, `test/${name}`)
      // Loaded when a test asks for separate processes.
      const tests = sourcesIn('test').filter(
        ({ file }) => !floor(file) && file !== 'test/support/separate.ts',
      )
      expect(trespasses(tests, to => !floor(to))).toEqual([])
    },
  )

  it('ARCH-21 MUST lead from the product to topology/ from nowhere, and load it in test/support/separate.ts on demand', () => {
    const own = within('topology', 'test', 'bench')
    expect(
      trespasses(
        SOURCES.filter(({ file }) => !own(file)),
        to => !within('topology')(to),
      ),
    ).toEqual([])
    const [separate] = sourcesIn('test/support/separate.ts')
    // A static import would take every test of one process away with the folder.
    expect(separate!.text).not.toMatch(/^import (?!type)[^\n]* from '#topology\//m)
  })

  it('ARCH-24 MUST lead from the product to packages/ from nowhere, and from packages/ to nothing else', () => {
    const free = within('packages', 'test', 'examples', 'codegen.ts')
    const others = SOURCES.filter(({ file }) => !free(file))
    expect(trespasses(others, to => !within('packages')(to))).toEqual([])
    expect(sourcesIn('packages').length).toBeGreaterThan(0)
    expect(trespasses(sourcesIn('packages'), within('packages'))).toEqual([])
  })

  it('ARCH-06 MUST lead from nowhere into test/, bench/ or prove/', () => {
    const product = SOURCES.filter(({ file }) => !within('test', 'bench', 'prove')(file))
    expect(trespasses(product, to => !within('test', 'bench', 'prove')(to))).toEqual([])
  })

  it('ARCH-07 MUST read the environment in config.ts alone', () => {
    const free = within(
      'test',
      'bench',
      'prove',
      'prisma/install.ts',
      'vitest.config.ts',
      'core/config/config.ts',
    )
    const readers = SOURCES.filter(
      ({ file, text, generated }) => !generated && !free(file) && /process\.env\b/.test(text),
    )
    expect(readers.map(({ file }) => file)).toEqual([])
  })

  it('ARCH-10 MUST make keys of shared work by one function, and their audiences of a principal alone', () => {
    const making = SOURCES.filter(
      ({ file, text }) => !within('test')(file) && /\bas (SharedKey|Audience)\b/.test(text),
    )
    expect(making.map(({ file }) => file)).toEqual([
      'core/access/visibility.ts',
      'core/async/single-flight.ts',
    ])
  })

  it('ARCH-18 MUST lead from the product to engine/ through core/engine.ts alone', () => {
    const others = SOURCES.filter(({ file }) => !within('engine', 'test', 'bench')(file))
    const reaching = others.filter(({ imports }) => imports.some(within('engine')))
    expect(reaching.map(({ file, imports }) => [file, imports.filter(within('engine'))])).toEqual([
      ['core/engine.ts', ['engine/main.ts']],
    ])
  })

  it('ARCH-08 MUST exist', () => {
    const known = new Set(SOURCES.map(({ file }) => file))
    const absent = within(...ABSENT.flatMap(name => [name, `test/${name}`]))
    const missing = trespasses(
      SOURCES,
      to => known.has(to) || absent(to) || to.startsWith('prisma/generated'),
    )
    expect(missing.filter(one => !/imports (graphql|@|fastify|vitest|ajv)/.test(one))).toEqual([])
  })
})

/** The folders bottom up, as docs/architecture.md lists them: each imports only from those before it. */
const orderIn = (heading: string) =>
  firstColumn(sectionOf(readText('docs/architecture.md'), heading)).map(folder => folder.replace(/\/$/, ''))

/** Sources of the product, without generated ones: the rules of imports hold for them. */
const PRODUCT = SOURCES.filter(
  ({ file }) =>
    within('core', 'subgraphs', 'gateway', 'engine', 'connectors', 'topology', 'prisma', 'cli')(file) &&
    !file.startsWith('prisma/generated/'),
)

/** The floors that the program starts without may be taken away: no rule holds for one that is absent. */
const isPresent = ({ base }: { base: string }) => foldersOf(PRODUCT, base).length > 0

const EXPORT = /^export (?:abstract |async )*(?:const|let|function\*?|class|interface|type|enum) ([\w$]+)/gm

describe('exported names', () => {
  it('ARCH-20 MUST have one meaning each; every service may export the same parts', () => {
    const places = PRODUCT.filter(({ generated }) => !generated).flatMap(({ file, text }) => {
      // Services are built alike: their files of one name export the same names, each for its own service.
      const place = file.replace(/^subgraphs\/[^/]+\/([^/]+)$/, 'subgraphs/*/$1')
      return [...text.matchAll(EXPORT)].map(([, name]) => [name!, place] as const)
    })
    const byName = Map.groupBy([...new Set(places.map(one => one.join(' ')))], one => one.split(' ')[0]!)
    const doubles = [...byName].filter(([, all]) => all.length > 1)
    expect(doubles.map(([, all]) => all)).toEqual([])
  })
})

describe('order', () => {
  it.each(
    [
      { base: 'core', order: orderIn('Inside core') },
      { base: 'gateway', order: orderIn('Inside gateway') },
      { base: 'engine', order: orderIn('Inside engine') },
      { base: 'connectors', order: orderIn('Inside connectors') },
      { base: 'topology', order: orderIn('Inside topology') },
    ].filter(isPresent),
  )(
    'ARCH-30 MUST let a folder of $base import only what stands above it in docs/architecture.md, types included',
    ({ base, order }) => {
      expect(foldersOf(PRODUCT, base).toSorted()).toEqual(order.toSorted())
      expect(againstOrder(PRODUCT, base, order)).toEqual([])
    },
  )

  it('ARCH-31 MUST have no circle of files', () => {
    expect(circlesOf(PRODUCT, file => file)).toEqual([])
  })

  it.each(['core', 'gateway', 'engine', 'connectors', 'topology'])(
    'ARCH-32 MUST have no circle of folders: %s',
    base => {
      const inside = PRODUCT.filter(({ file }) => file.startsWith(`${base}/`))
      expect(circlesOf(inside, file => file.split('/').slice(0, -1).join('/'))).toEqual([])
    },
  )

  it('ARCH-33 MUST hand demo data in from the entry points alone', () => {
    const seeding = PRODUCT.filter(
      ({ file, imports }) =>
        !file.startsWith('prisma/demo/') && imports.some(to => to.startsWith('prisma/demo/')),
    )
    const entries = ['cli/open.ts', 'gateway/main.ts', 'subgraphs/main.ts']
    const separate = ['topology/gateway-only.ts', 'topology/start-all.ts']
    expect(seeding.map(({ file }) => file)).toEqual([
      ...entries,
      ...separate.flatMap(file => sourcesIn(file)).map(({ file }) => file),
    ])
  })
})
