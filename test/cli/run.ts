/** Runs the command line: in this process, or as a process of its own as an administrator does. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'
import { runCommand } from '#cli/main.ts'

const MAIN = join(import.meta.dirname, '../../cli/main.ts')

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

type Cli = (...args: string[]) => Promise<Outcome>

const EMPTY = { DEMO: '0' }

/** Runs each command as a process of its own. */
export const createSpawnedCli =
  (dataDir: string, settings: Record<string, string> = EMPTY): Cli =>
  (...args) =>
    new Promise(done => {
      const { DATABASE_URL: _, ...inherited } = process.env
      const env = { ...inherited, DATA_DIR: dataDir, ...settings }
      const child = execFile(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', MAIN, ...args],
        { env },
        (_error, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
      )
    })

/** Collects what is written to a stream, which gets none of it. */
const capture = (stream: NodeJS.WriteStream) => {
  const texts: string[] = []
  const spy = vi.spyOn(stream, 'write').mockImplementation(text => {
    texts.push(String(text))
    return true
  })
  return { text: () => texts.join(''), end: () => spy.mockRestore() }
}

const withEnv = async <T>(settings: Record<string, string>, run: () => Promise<T>): Promise<T> => {
  vi.stubEnv('DATABASE_URL', undefined)
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  try {
    return await run()
  } finally {
    vi.unstubAllEnvs()
  }
}

/**
 * Runs commands one at a time on the embedded database in this folder, which is empty unless the settings ask for the demo.
 * @param run another program than that of administration.
 */
export const createCli =
  (dataDir: string, settings: Record<string, string> = EMPTY, run = runCommand): Cli =>
  async (...args) => {
    const [out, err] = [capture(process.stdout), capture(process.stderr)]
    try {
      const code = await withEnv({ DATA_DIR: dataDir, ...settings }, () => run(args))
      return { code, stdout: out.text(), stderr: err.text() }
    } finally {
      out.end()
      err.end()
    }
  }
