import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/**
 * Ten projects. A test's folder or the suffix of its file decides where it runs (CONTRIBUTING.md, "Run one test"):
 *
 * - `*.long.test.ts` waits for clocks, opens many sockets, starts processes or tries histories by the hundred. A shorter
 *   test looks at the same behaviour in `npm test`.
 * - `*.pg.test.ts` runs on PostgreSQL too, as do all tests of the folders below.
 * - `*.wire.test.ts` meets the most of what lies between gateway and services; it is in the bounded form of
 *   `npm run test:separate`.
 * - `*.once.test.ts` starts servers of its own or none, and is not repeated over separate processes.
 * - `*.deep.test.ts` tries so much that `npm test` leaves it to `npm run test:security`.
 */
const LONG = 'test/**/*.long.test.ts'
const ONCE = 'test/**/*.once{,.long}.test.ts'
const DEEP = 'test/**/*.deep.test.ts'
const WIRE = 'test/**/*.wire{,.long}.test.ts'
const PG = 'test/**/*.pg{,.long}.test.ts'

/** Tests of behaviour that clients see. */
const BEHAVIOUR = [
  'test/{contract,subgraphs}/**/*.test.ts',
  'test/gateway/{deferral,graph,subscriptions}/**/*.test.ts',
  'test/core/{egress,events,webhooks}/**/*.test.ts',
]

/** Tests in folders of their own, for which a program is missing or which are long. */
const APART = {
  failover: 'test/failover/**/*.test.ts',
  browser: 'test/browser/**/*.test.ts',
  image: 'test/image/**/*.test.ts',
  portable: 'test/portable/**/*.test.ts',
  sites: 'test/sites/**/*.test.ts',
  security: 'test/security/**/*.test.ts',
  soak: 'test/soak/**/*.test.ts',
}

/** `TEST_DATABASE=postgres` runs soaks and variants on the PostgreSQL of `TEST_DATABASE_URL`. */
const database = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'embedded'
/** `TEST_TOPOLOGY=separate` starts gateway and services as processes of their own. */
const topology = process.env['TEST_TOPOLOGY']
/** `TEST_WAY=apollo` executes every operation by Apollo alone, `TEST_WAY=compiled` sends each until it is compiled. */
const way = process.env['TEST_WAY']

/** The tests that a variant repeats. */
const repeated = () => {
  if (way)
    return {
      include: [
        'test/gateway/{deferral,graph,subscriptions}/**/*.test.ts',
        'test/contract/**/*.wire.test.ts',
      ],
    }
  if (topology !== 'separate')
    return {
      // Over separate processes they run on PostgreSQL in CI.
      exclude: process.env['POSTGRES_CASES'] === 'ci' ? ['test/gateway/graph/**'] : [],
      include: [
        ...BEHAVIOUR,
        'test/topology/processes/**/*.test.ts',
        'test/connectors/http/orders/**/*.test.ts',
        PG,
      ],
    }
  // A part of them in CI, and on the embedded database, where not all of them can run.
  const inPart = process.env['SEPARATE_CASES'] === 'ci' || database !== 'postgres'
  const include = inPart ? ['test/gateway/graph/**/*.test.ts', WIRE] : BEHAVIOUR
  return { include, exclude: [ONCE, 'test/subgraphs/server/**'] }
}

/** Loads a file of the project into the processes of tests before anything else. */
const importing = (file: string) => ['--import', join(import.meta.dirname, file)]

interface Options {
  readonly include: string[]
  readonly exclude?: string[]
  readonly env?: Record<string, string>
  readonly execArgv?: string[]
  readonly globalSetup?: string[]
  readonly testTimeout?: number
  readonly hookTimeout?: number
}

const project = (name: string, { execArgv = [], globalSetup = [], env, ...options }: Options) => ({
  // Node resolves graphql to its CommonJS build, the bundler to its other one; two realms do not mix.
  resolve: { alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }] },
  test: {
    name,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files of one worker share its modules and the compiled database. What a module of tests holds is set by the hooks
    // of each file that uses it.
    isolate: false,
    ...options,
    // The packages of Apollo Gateway's telemetry are not installed (`overrides` in package.json).
    env: { TEST_DATABASE: 'embedded', APOLLO_TELEMETRY_DISABLED: '1', ...env },
    execArgv: [...execArgv, ...importing('test/support/no-name-server.ts')],
    globalSetup: ['test/support/global-setup.ts', ...globalSetup],
  },
})

const onDatabase = { TEST_DATABASE: database }

export default defineConfig({
  test: {
    // As many as processors on a small machine; `npm test` has one more, since a third of its time is waiting.
    maxWorkers: 2,
    projects: [
      project('embedded', { include: ['test/**/*.test.ts'], exclude: [...Object.values(APART), LONG] }),
      project('long', { include: [LONG], exclude: Object.values(APART) }),
      project('variants', {
        ...repeated(),
        env: {
          ...onDatabase,
          ...(topology && { TEST_TOPOLOGY: topology }),
          ...(way && { TEST_WAY: way }),
        },
      }),
      project('failover', {
        include: [APART.failover],
        globalSetup: ['test/failover/table.ts'],
        testTimeout: 240_000,
      }),
      project('sites', { include: [APART.sites] }),
      project('soak', { include: [APART.soak], env: onDatabase }),
      project('security', {
        include: [APART.security],
        exclude: process.env['SECURITY_CASES'] === undefined ? [DEEP] : [],
        // Memory is measured, and a table of all attempts stands at the end.
        execArgv: ['--expose-gc'],
        globalSetup: ['test/security/support/table.ts'],
        testTimeout: 1_200_000,
        hookTimeout: 180_000,
      }),
      project('browser', { include: [APART.browser] }),
      project('image', { include: [APART.image] }),
      project('portable', { include: [APART.portable] }),
    ],
  },
})
