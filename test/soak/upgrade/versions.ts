/** Folders with other versions of the program: an earlier one out of git, and a later one made of this one. */
import { type ExecFileSyncOptions, execFile, execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/**
 * The version before this one: the last commit of 0.2.0 before migrations expand and contract. A release is written here,
 * so that the next version is upgraded from it. `UPGRADE_FROM` names another commit.
 */
const BEFORE = '1144865afb83611fc58da82d2b99084337b97a7a'

/** A version of the program in a folder of its own, which goes when it is disposed of. */
export interface Version extends AsyncDisposable {
  readonly name: string
  readonly root: string
}

/** The commit to upgrade from, and the reason for which it cannot be had. */
export const FROM = ((): { readonly commit: string; readonly missing?: string } => {
  const commit = process.env['UPGRADE_FROM'] || BEFORE
  const { error, status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT })
  if (error) return { commit, missing: 'there is no git' }
  return status === 0 ? { commit } : { commit, missing: 'the history of this checkout does not have it' }
})()

const makeFolder = async () => {
  const root = await mkdtemp(join(tmpdir(), 'partner-graph-version-'))
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
}

/** Arguments of Node that run a file of a version. */
const nodeArgs = (args: readonly string[]) => ['--disable-warning=ExperimentalWarning', ...args]

/**
 * Takes the earlier version out of git. It runs with the packages of this version unless `UPGRADE_INSTALL` is 1, which
 * installs its own and takes a minute.
 */
export async function takeEarlier(): Promise<Version> {
  await using stack = new AsyncDisposableStack()
  const { root } = stack.use(await makeFolder())
  const archive = execFileSync('git', ['archive', '--format=tar', FROM.commit], {
    cwd: ROOT,
    maxBuffer: 1 << 29,
  })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  const quiet: ExecFileSyncOptions = { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] }
  if (process.env['UPGRADE_INSTALL'] === '1')
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], quiet)
  else await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  execFileSync(process.execPath, nodeArgs(['prisma/install.ts', '--client-only']), quiet)
  const kept = stack.move()
  return { name: FROM.commit.slice(0, 7), root, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A migration as a release after this one may bring it: a table, columns, an index and rows in steps. */
const EXPANSION = `-- expand
-- locks: postpaid.payment and events.event for a column each
CREATE TABLE "postpaid"."later" ("id" UUID NOT NULL, CONSTRAINT "later_pkey" PRIMARY KEY ("id"));
ALTER TABLE "postpaid"."payment" ADD COLUMN "later" TEXT;
ALTER TABLE "events"."event" ADD COLUMN "later" TEXT NOT NULL DEFAULT '';
`
const EXPANSION_IN_STEPS = `-- expand
-- locks: nothing that others wait for
-- in steps
DROP INDEX CONCURRENTLY IF EXISTS "postpaid"."payment_later";
CREATE INDEX CONCURRENTLY "payment_later" ON "postpaid"."payment" ("later");
UPDATE "postpaid"."payment" SET "later" = '' WHERE "id" IN (
  SELECT "id" FROM "postpaid"."payment" WHERE "later" IS NULL AND "position" <= 50 LIMIT 20 FOR UPDATE SKIP LOCKED) RETURNING 1;
`

/** Parts of a checkout that no server reads. */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.data', 'bench', 'docs', 'node_modules', 'test'])

/** Makes a version after this one, which differs by expanding the database further. */
export async function makeLater(): Promise<Version> {
  await using stack = new AsyncDisposableStack()
  const { root } = stack.use(await makeFolder())
  const parts = (await readdir(ROOT)).filter(name => !LEFT_OUT.has(name))
  const isNeeded = (file: string) => basename(file) !== 'node_modules'
  for (const name of parts)
    await cp(join(ROOT, name), join(root, name), { recursive: true, filter: isNeeded })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const [name, sql] of [
    ['29990101000000_later', EXPANSION],
    ['29990101000001_later_in_steps', EXPANSION_IN_STEPS],
  ] as const) {
    await mkdir(join(root, 'prisma/migrations', name))
    await writeFile(join(root, 'prisma/migrations', name, 'migration.sql'), sql)
  }
  const kept = stack.move()
  return { name: 'later', root, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** This checkout. */
export const THIS: Version = { name: 'this', root: ROOT, [Symbol.asyncDispose]: async () => undefined }

/** The end of a command of a version. */
export interface Ended {
  readonly status: number | null
  readonly output: string
}

/** Runs a command of a version to its end, at most four minutes, while the load goes on. */
export const runOf = (
  { root }: Version,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ended> =>
  new Promise(done => {
    const options = {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env },
      timeout: 240_000,
      killSignal: 'SIGKILL',
    } as const
    const child = execFile(process.execPath, nodeArgs(args), options, (_, stdout, stderr) =>
      done({ status: child.exitCode, output: stdout + stderr }),
    )
  })
