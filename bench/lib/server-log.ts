/** Log of a measured server, in a file: a reader of a pipe would take processor time from the measurement. */
import { createReadStream, mkdtempSync, openSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ServerLog {
  /** Where the server's standard output goes. */
  readonly fd: number
  /** @throws Error with the first warning or error: what was measured then is something else. */
  check(): Promise<void>
  remove(): Promise<void>
}

/** Levels of pino from `warn` on, and from `error` on. */
const COMPLAINT = /"level":[4-6]0[,}]/
const ERROR = /"level":[56]0[,}]/

const firstComplaint = async (file: string, complaint: RegExp): Promise<string | undefined> => {
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (complaint.test(line)) return line
  return undefined
}

/**
 * @param program for the message.
 * @param mayWarn whether errors alone are complaints.
 */
export function openServerLog(program: string, mayWarn = false): ServerLog {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-bench-log-'))
  const file = join(folder, 'stdout')
  return {
    fd: openSync(file, 'w'),
    async check() {
      const line = await firstComplaint(file, mayWarn ? ERROR : COMPLAINT)
      if (line !== undefined) throw new Error(`${program} complained while it was measured: ${line}`)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
