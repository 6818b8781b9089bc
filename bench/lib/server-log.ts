/** What a measured server logs: to a file, since whoever read it along would take the processor from what is measured. */
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

/** Levels of pino from `warn` on. */
const COMPLAINT = /"level":[4-6]0[,}]/

const firstComplaint = async (file: string): Promise<string | undefined> => {
  for await (const line of createInterface({ input: createReadStream(file) }))
    if (COMPLAINT.test(line)) return line
  return undefined
}

/** @param program for the message. */
export function openServerLog(program: string): ServerLog {
  const folder = mkdtempSync(join(tmpdir(), 'partner-graph-bench-log-'))
  const file = join(folder, 'stdout')
  return {
    fd: openSync(file, 'w'),
    async check() {
      const line = await firstComplaint(file)
      if (line !== undefined) throw new Error(`${program} complained while it was measured: ${line}`)
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
