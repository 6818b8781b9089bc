/**
 * Keeps for the next start what Node.js compiles of the program, with its types stripped. Loaded before everything else
 * (`node --import`). It is JavaScript, since TypeScript would itself be stripped at each start.
 */
import { mkdirSync } from 'node:fs'
// Before all other files of the program, so that an old Node.js gets to read its sentence.
import './require-node.cjs'
import module from 'node:module'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'node_modules/.cache/partner-graph/compiled')
/** Files found in this folder are executed. */
const OWNER_ONLY = 0o700

try {
  mkdirSync(FOLDER, { recursive: true, mode: OWNER_ONLY })
  module.enableCompileCache(FOLDER)
} catch {
  // An installation that may not be written to is compiled at each start.
}
