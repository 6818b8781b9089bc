/** The floors that the program runs without: the facts that their tests share. */
import { existsSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'

/** A folder of the program that an installation may leave out. */
export interface Floor {
  readonly name: 'engine' | 'connectors' | 'topology'
  /** The line that a start without the folder writes to its log; undefined where nothing is missed. */
  readonly warning?: string
}

export const FLOORS: readonly Floor[] = [
  { name: 'engine', warning: 'operations are not compiled: this installation has no folder engine/' },
  { name: 'connectors' },
  { name: 'topology' },
]

/** The floors that this installation does not have. */
export const ABSENT: readonly string[] = FLOORS.map(({ name }) => name).filter(
  name => !existsSync(projectPath(name)),
)
