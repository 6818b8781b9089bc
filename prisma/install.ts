/**
 * Runs after `npm ci`. Generates the Prisma client and builds the pages where the development packages that do so are
 * installed, and makes in advance what the first start would make: the embedded database's template and compiled code.
 * With `--client-only` it generates the client alone (`npm run db:client`).
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A file of a development package; undefined after `npm ci --omit=dev`. */
const findPackaged = (file: string): string | undefined => {
  try {
    return createRequire(import.meta.url).resolve(file)
  } catch {
    return undefined
  }
}

/**
 * Generates the Prisma client. That needs no native engine, yet the command line looks for one that not every machine
 * can download; the name of any existing file satisfies it.
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

const ROOT = join(import.meta.dirname, '..')
const PROGRAM = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  './compile-cache.js',
  join(ROOT, 'gateway/main.ts'),
]
/** Builds the pages beside the rest. Without them the program serves as ever, so that a failure is reported and no more. */
async function buildPages(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'portal/build.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) console.error('The pages were not built: run npm run build:pages to see why')
}

/** Longest time of the warm-up, ten times that of a usual start: an installation must not wait for ever. */
const WITHIN_MS = 30_000
const SETTINGS = { DATA_DIR: 'memory:', DEMO: '0', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }

/**
 * Starts and stops the whole program on a database in memory, after which all code that a start compiles is kept. Where it
 * does not start, nothing is kept, and the first real start reports why.
 */
async function warmUp(): Promise<void> {
  const child = spawn(process.execPath, PROGRAM, {
    cwd: ROOT,
    env: SETTINGS,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: WITHIN_MS,
    killSignal: 'SIGKILL',
  })
  const ended = once(child, 'exit')
  createInterface({ input: child.stdout }).once('line', () => child.kill('SIGTERM'))
  await ended
}

// Without the command line, production runs the part of the client that is checked in; all else of it is types.
const prisma = findPackaged('prisma/build/index.js')
if (prisma) generateClient(prisma)

if (!process.argv.includes('--client-only')) {
  const pages = findPackaged('vite/package.json') ? buildPages() : undefined
  const { loadTemplate } = await import('#core/data/embedded.ts')
  await loadTemplate()
  await warmUp()
  await pages
}
