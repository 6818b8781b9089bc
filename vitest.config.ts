import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { long } from './vitest.long.ts'

/**
 * Files of one worker share its modules and the compiled database; what a module of tests holds is set by the hooks of
 * each file that uses it.
 */
const shared = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false }

/** Tests of behaviour run on the embedded database, and on PostgreSQL too when `TEST_DATABASE_URL` names one. */
const onDatabase = [
  ...[
    'contract',
    'subgraphs',
    'gateway/graph',
    'topology/processes',
    'gateway/subscriptions',
    'core/egress',
    'core/events',
    'connectors/http/orders',
    'core/webhooks',
  ].map(dir => `test/${dir}/**/*.test.ts`),
  'test/connectors/http/callbacks.test.ts',
  'test/core/data/apply-migrations.test.ts',
  'test/core/data/installation.test.ts',
  'test/core/data/pg-notify.test.ts',
  'test/core/data/reader.test.ts',
  'test/core/data/reader-failures.test.ts',
  'test/core/data/hot-reads.test.ts',
  'test/core/data/together.test.ts',
  'test/core/data/silent-connections.test.ts',
  'test/core/data/selected-fields.test.ts',
]

/** Servers that are killed, connections that are cut: longer than the rest, and run by `npm run test:soak`. */
const soaks = ['test/soak/*.test.ts']

/** Hostile input: bounded in `npm test`, in full by `npm run test:security` (docs/reliability.md). */
const security = ['test/security/*.test.ts']

/** Of these even a few cases take long: they are left to `npm run test:security`, which says what it tries. */
const longAttacks =
  process.env['SECURITY_CASES'] === undefined
    ? [
        'attacks-access',
        'attacks-blocking',
        'attacks-families',
        'attacks-invalid',
        'attacks-memory',
        'attacks-places',
        'fuzz-entities',
        'isolation-entities',
        'isolation-graph',
        'isolation-rest',
        'isolation-streams',
        'secrets',
      ]
    : []

/** What a browser sees; needs Chromium: run by `npm run test:browser`, which says so where there is none. */
const browser = ['test/browser/*.test.ts']

/** Needs another router, which the product does not carry: run by `npm run test:portable`, which installs it. */
const portable = ['test/portable/*.test.ts']

/** Node resolves graphql to its CommonJS build, the bundler to its other one; two realms do not mix. */
const alias = [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }]

/** Tests of what clients see hold over separate processes too. */
const onSeparate = [
  'contract',
  'subgraphs',
  'subgraphs/activity',
  'gateway/graph',
  'gateway/subscriptions',
  'core/egress',
  'core/events',
  'core/webhooks',
].map(dir => `test/${dir}/*.test.ts`)

/**
 * Those of them that meet the most of what lies between gateway and services, on the embedded database; all of them on
 * PostgreSQL. Run by `npm run test:separate`.
 */
const overWire = [
  ...['http', 'isolation'].map(name => `test/contract/${name}.test.ts`),
  ...['subscriptions', 'socket', 'federation'].map(name => `test/gateway/subscriptions/${name}.test.ts`),
  'test/gateway/graph/*.test.ts',
]

/** What clients of the graph see holds both ways: by Apollo alone, and compiled. Run by `npm run test:ways`. */
const overGraph = [
  'test/contract/isolation.test.ts',
  'test/gateway/graph/*.test.ts',
  'test/gateway/subscriptions/*.test.ts',
]

/** These count what a request does, and so cannot send it twice. */
const countedOnce = ['test/gateway/graph/statements.test.ts']

const separate = {
  topology: 'separate' as const,
  exclude: [
    // Puts a service into the process that `names.ts` does not have.
    'test/gateway/graph/sixth-service.test.ts',
    // Start processes or instances themselves, or no server at all.
    'test/subgraphs/changes-refused.test.ts',
    'test/subgraphs/instances.test.ts',
    'test/subgraphs/outbound.test.ts',
    'test/subgraphs/activity/command.test.ts',
    'test/core/egress/callback-policy.test.ts',
    'test/core/egress/guarded-agent.test.ts',
    'test/core/egress/odd-addresses.test.ts',
    'test/core/events/event-log.test.ts',
    'test/core/webhooks/docs.test.ts',
    'test/core/webhooks/schedule.test.ts',
  ],
}

/** Loads a file of the project into the processes of tests before anything else. */
const importing = (file: string) => ['--import', join(import.meta.dirname, file)]

const project = (
  name: string,
  database: 'embedded' | 'postgres',
  include: string[],
  {
    exclude = [],
    topology,
    way,
  }: { exclude?: string[]; topology?: 'separate'; way?: 'apollo' | 'compiled' } = {},
) => ({
  resolve: { alias },
  test: {
    ...shared,
    name,
    include,
    exclude,
    env: {
      TEST_DATABASE: database,
      ...(topology && { TEST_TOPOLOGY: topology }),
      ...(way && { TEST_WAY: way }),
    },
    execArgv: importing('test/support/no-name-server.ts'),
    globalSetup: 'test/support/global-setup.ts',
  },
})

/** Measures memory, and a table of what was tried stands at its end. */
const hostile = {
  resolve: { alias },
  test: {
    ...shared,
    name: 'security',
    include: security,
    exclude: longAttacks.map(name => `test/security/${name}.test.ts`),
    env: { TEST_DATABASE: 'embedded' },
    execArgv: ['--expose-gc', ...importing('test/support/no-name-server.ts')],
    testTimeout: 1_200_000,
    hookTimeout: 180_000,
    globalSetup: ['test/support/global-setup.ts', 'test/security/support/table.ts'],
  },
}

const onPostgres = [
  project('postgres', 'postgres', onDatabase),
  project('soak-postgres', 'postgres', soaks),
  project('separate-postgres', 'postgres', onSeparate, separate),
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('embedded', 'embedded', ['test/**/*.test.ts'], {
        exclude: [...soaks, ...portable, ...security, ...long, ...browser],
      }),
      project('long', 'embedded', long),
      project('browser', 'embedded', browser),
      project('portable', 'embedded', portable),
      project('separate', 'embedded', overWire, separate),
      project('apollo', 'embedded', overGraph, { way: 'apollo' }),
      project('compiled', 'embedded', overGraph, { way: 'compiled', exclude: countedOnce }),
      project('soak', 'embedded', soaks),
      hostile,
      ...(process.env['TEST_DATABASE_URL'] ? onPostgres : []),
    ],
  },
})
