/** Commands that an operator gives in the middle of everything. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { COMPILED_BEFORE, ROOT } from '../stage/building.ts'
import type { Stage } from '../stage/stage.ts'

const LIMIT_MS = 120_000

/**
 * Runs a file of the program with the settings of the servers.
 * @param root the checkout that it is in.
 * @throws Error where it fails.
 */
export async function command(
  { place }: Stage,
  file: string,
  args: readonly string[],
  root = ROOT,
): Promise<void> {
  const env = { PATH: process.env['PATH'], ...place, DATABASE_POOL_SIZE: '2' }
  await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...(root === ROOT ? COMPILED_BEFORE : []),
      join(root, file),
      ...args,
    ],
    { cwd: root, env, timeout: LIMIT_MS },
  )
}
