/**
 * Runs after `npm ci`. Generates the Prisma client where the command line of Prisma is installed, and makes in advance
 * what the first start would make: the embedded database's template and compiled code. With `--client-only` it does the
 * former alone (`npm run db:client`).
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

/** The command line of Prisma, a development package; undefined after `npm ci --omit=dev`. */
const findPrisma = (): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve('prisma/build/index.js')
  } catch {
    return undefined
  }
}

/**
 * Generating needs no native engine, yet the command line looks for one that not every machine can download. The name of
 * any existing file satisfies it.
 */
const generateClient = (prisma: string) => {
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  const { status } = spawnSync(process.execPath, [prisma, 'generate'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

// Without the command line, production runs the part of the client that is checked in; all else of it is types.
const prisma = findPrisma()
if (prisma) generateClient(prisma)

if (!process.argv.includes('--client-only')) {
  const { loadTemplate } = await import('#core/data/embedded.ts')
  await loadTemplate()
  const { warmUp } = await import('./warm-up.ts')
  await warmUp()
}
