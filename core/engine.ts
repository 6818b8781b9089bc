/**
 * The registration point of engine/: the only file of the program that names that folder. Without the folder graphql-js and
 * Apollo Gateway execute every operation.
 */

import { existsSync } from 'node:fs'
import type { Config } from './config/config.ts'
import { projectPath } from './config/project-files.ts'
import type { Engine } from './context/engine.ts'
import type { Logger } from './observability/log.ts'

/** Loads the engine; undefined with `COMPILED=0`, and where the folder is absent. */
export async function loadEngine({ compiled }: Config, log: Logger): Promise<Engine | undefined> {
  if (!compiled) return undefined
  if (!existsSync(projectPath('engine'))) {
    log.warn('operations are not compiled: this installation has no folder engine/')
    return undefined
  }
  const { engine } = await import('#engine/main.ts')
  return engine
}
