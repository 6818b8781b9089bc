/** After `npm ci`: generates the Prisma client, and makes what the first start would make: the embedded database's template, compiled code. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

/**
 * Generating needs no native engine, yet the command line looks for one that not every machine can download;
 * naming any existing file satisfies it.
 */
const env = {
  ...process.env,
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  CHECKPOINT_DISABLE: '1',
}
const prisma = createRequire(import.meta.url).resolve('prisma/build/index.js')
const { status } = spawnSync(process.execPath, [prisma, 'generate'], {
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (status !== 0) process.exit(status ?? 1)

const { loadTemplate } = await import('#core/data/embedded.ts')
await loadTemplate()
const { warmUp } = await import('./warm-up.ts')
await warmUp()
