import { createRequire } from 'node:module'
import { defineConfig } from 'vitest/config'

/** Files of one worker share its modules, which hold no state of their own, and the compiled database. */
const shared = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false }

/** Tests of behaviour run on the embedded database, and on PostgreSQL too when `TEST_DATABASE_URL` names one. */
const onDatabase = [
  'test/contract/**',
  'test/service/**',
  'test/federation/**',
  'test/faults/**',
  'test/activity/**',
  'test/delivery/**',
].map(dir => `${dir}/*.test.ts`)

/** Node resolves graphql to its CommonJS build, the bundler to its other one; two realms do not mix. */
const alias = [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve('graphql') }]

const project = (name: string, include: string[], exclude: string[] = []) => ({
  resolve: { alias },
  test: {
    ...shared,
    name,
    include,
    exclude,
    env: { TEST_DATABASE: name },
    globalSetup: 'test/support/global-setup.ts',
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('embedded', ['test/**/*.test.ts']),
      ...(process.env['TEST_DATABASE_URL'] ? [project('postgres', onDatabase)] : []),
    ],
  },
})
