/** Programs that the machine of a test has, beside those of the project. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders of programs for administrators, which are not in every user's `PATH`. */
const OF_ADMINISTRATORS = ['/usr/local/sbin', '/usr/sbin', '/sbin']

/** Finds the file of a program; undefined where the machine does not have it. */
export const findProgram = (program: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...OF_ADMINISTRATORS]
    .map(folder => join(folder, program))
    .find(file => existsSync(file))
