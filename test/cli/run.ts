/** Runs the command line as a child process, as an administrator does. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../cli/main.ts')

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs one command on the embedded database in this folder, which is empty unless the settings ask for the demo. */
export const createCli =
  (dataDir: string, settings: Record<string, string> = { DEMO: '0' }) =>
  (...args: string[]): Promise<Outcome> =>
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
