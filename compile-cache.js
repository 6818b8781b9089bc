/**
 * Loaded before everything else (`node --import`): what Node compiles of the program, TypeScript stripped, is kept for the
 * next start. JavaScript, since it would itself be stripped at each start otherwise.
 */
import { mkdirSync } from 'node:fs'
// First, so that an old Node.js gets to read its sentence.
import './require-node.cjs'
import module from 'node:module'
import { join } from 'node:path'
import './left-out.js'

const FOLDER = join(import.meta.dirname, 'node_modules/.cache/partner-graph/compiled')
/** What is found there is executed. */
const OWNER_ONLY = 0o700

try {
  mkdirSync(FOLDER, { recursive: true, mode: OWNER_ONLY })
  module.enableCompileCache(FOLDER)
} catch {
  // An installation that may not be written to is compiled at each start.
}
