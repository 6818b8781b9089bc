/**
 * Loaded before a server that is to be sabotaged (`node --import …/hook.ts?<name>`): changes one source on its way into the
 * process. Nothing on the disk is changed.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sabotageNamed } from './all.ts'
import { sabotaged } from './sabotage.ts'

const sabotage = sabotageNamed(decodeURIComponent(new URL(import.meta.url).search.slice(1)))
const target = pathToFileURL(join(import.meta.dirname, '../..', sabotage.file)).href

registerHooks({
  load(url, context, next) {
    if (url !== target) return next(url, context)
    const source = readFileSync(fileURLToPath(url), 'utf8')
    return { format: 'module', source: stripTypeScriptTypes(sabotaged(sabotage, source)), shortCircuit: true }
  },
})
