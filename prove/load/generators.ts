/** Generators of load as their parent has them: each in a process of its own, all beginning at one moment. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { GeneratorJob } from './generator.ts'
import type { SenderResult } from './sender.ts'

const PROGRAM = join(import.meta.dirname, 'generator.ts')

const prepare = async (job: GeneratorJob): Promise<ChildProcess> => {
  const child = fork(PROGRAM, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  child.send(job)
  await once(child, 'message')
  return child
}

const begin = async (child: ChildProcess): Promise<SenderResult[]> => {
  child.send('go')
  const [results] = (await once(child, 'message')) as [SenderResult[]]
  return results
}

/** Runs jobs at the same time. @returns the results of all senders, by their clients. */
export async function generate(...jobs: readonly GeneratorJob[]): Promise<ReadonlyMap<string, SenderResult>> {
  const children = await Promise.all(jobs.map(prepare))
  const results = (await Promise.all(children.map(begin))).flat()
  return new Map(results.map(result => [result.client, result]))
}
