/** This checkout and another one (`BENCH_BASE`): their programs, and for each a database that its own migrations made. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { projectPath } from '#core/config/project-files.ts'
import { fillClients, fillDirectory } from './fill.ts'
import { findingsOf, type Measured, type MeasuredSide, measureSides, type Turns } from './measured.ts'
import type { Finding } from './results.ts'
import { createScratch, SECRETS_KEY } from './scratch.ts'
import { type Server, startServer } from './server.ts'

export interface Checkout {
  readonly folder: string
  /** The path of a program. @param paths where it is now, and where it was before. @throws Error where it has none. */
  program(...paths: readonly string[]): string
}

/** A database of one checkout with clients and a directory, and how a program finds it. */
export interface CheckoutDatabase {
  readonly client: pg.Client
  readonly env: Readonly<Record<string, string>>
}

const checkoutAt = (folder: string): Checkout => ({
  folder,
  program(...paths) {
    const found = paths.map(path => join(folder, path)).find(existsSync)
    if (found === undefined) throw new Error(`${folder} has no ${paths.join(' or ')}`)
    return found
  },
})

const otherFolder = (): string => {
  const folder = process.env['BENCH_BASE']
  if (!folder)
    throw new Error('BENCH_BASE must name another checkout of this project, with its packages installed')
  return folder
}

/** Ours and theirs. */
export const CHECKOUTS: readonly [Checkout, Checkout] = [
  checkoutAt(projectPath('.')),
  checkoutAt(otherFolder()),
]

/** Makes a database by the checkout's own migrations: a program does not start on one that is newer than itself. */
export async function openCheckoutDatabase(
  stack: AsyncDisposableStack,
  { folder }: Checkout,
): Promise<CheckoutDatabase> {
  const migrate = async (url: string) => {
    const program = ['--disable-warning=ExperimentalWarning', 'prisma/migrate.ts']
    const env = { ...process.env, DATABASE_URL: url, SECRETS_KEY }
    execFileSync(process.execPath, program, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const { client, url } = stack.use(await createScratch(migrate))
  await fillClients(client)
  await fillDirectory(client)
  return { client, env: { DATABASE_URL: url, SECRETS_KEY } }
}

/** Starts a program of a checkout. A turn's end cuts requests that still wait, which is logged as a warning. */
export const startProgram = async (
  stack: AsyncDisposableStack,
  { program, folder: root }: Checkout,
  paths: string | readonly string[],
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Server> =>
  stack.use(await startServer(program(...[paths].flat()), { env, args, root, mayWarn: true }))

/** Findings of both sides' turns, which are to differ by three in a hundred at most. */
export const compared = (work: string, [ours, theirs]: readonly Measured[][]): Finding[] => {
  const targets = ['>= 0.97', '>= 0.97'] as const
  return findingsOf({ id: 'before', work, against: 'the other checkout', targets }, ours!, theirs!)
}

/**
 * Measures both sides in turns, and starts both programs anew several times: the same program is up to a sixth faster or
 * slower from one start to the next, by what its compiler happened to see first.
 * @param open starts one side; what it adds to the stack ends with its turns.
 */
export async function measureCheckouts(
  open: (stack: AsyncDisposableStack, checkout: Checkout) => Promise<MeasuredSide>,
  { starts, ...turns }: Turns & { readonly starts: number },
): Promise<Measured[][]> {
  const all: [Measured[], Measured[]] = [[], []]
  for (let start = 0; start < starts; start += 1) {
    await using stack = new AsyncDisposableStack()
    const sides = []
    for (const checkout of CHECKOUTS) sides.push(await open(stack, checkout))
    const measured = await measureSides(sides, turns)
    for (const [index, one] of measured.entries()) all[index]!.push(...one)
  }
  return all
}
