/** Load on a server, from a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadJob, LoadResult } from './load-process.ts'

const PROGRAM = join(import.meta.dirname, 'load-process.ts')

/** @throws Error when a request failed: a server that refuses is quick, and measured for nothing. */
export async function load(job: LoadJob): Promise<LoadResult> {
  const child = fork(PROGRAM, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  child.send(job)
  const [result] = (await once(child, 'message')) as [LoadResult]
  if (result.failed > 0)
    throw new Error(`${result.failed} requests to ${job.url} failed: ${JSON.stringify(result.statuses)}`)
  return result
}
