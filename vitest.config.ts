import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

/** Files of one worker share its modules, which hold no state of their own, and the compiled database. */
const shared = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false }

/** Tests of behaviour run on the embedded database, and on PostgreSQL too when `TEST_DATABASE_URL` names one. */
const onDatabase = ['contract', 'service', 'federation', 'activity', 'delivery', 'subgraph'].map(
  dir => `test/${dir}/*.test.ts`,
)

/** Servers that are killed, connections that are cut: longer than the rest, and run by `npm run test:soak`. */
const soaks = ['test/soak/*.test.ts']

/** Needs another router, which the product does not carry: run by `npm run test:portable`, which installs it. */
const portable = ['test/portable/*.test.ts']

/** Node resolves graphql to its CommonJS build, the bundler to its other one; two realms do not mix. */
const alias = [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }]

const project = (
  name: string,
  database: 'embedded' | 'postgres',
  include: string[],
  exclude: string[] = [],
) => ({
  resolve: { alias },
  test: {
    ...shared,
    name,
    include,
    exclude,
    env: { TEST_DATABASE: database },
    globalSetup: 'test/support/global-setup.ts',
  },
})

const onPostgres = [project('postgres', 'postgres', onDatabase), project('soak-postgres', 'postgres', soaks)]

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('embedded', 'embedded', ['test/**/*.test.ts'], [...soaks, ...portable]),
      project('portable', 'embedded', portable),
      project('soak', 'embedded', soaks),
      ...(process.env['TEST_DATABASE_URL'] ? onPostgres : []),
    ],
  },
})
