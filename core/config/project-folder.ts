/** The folder of this installation, found by its `package.json`: a source file may move without its paths changing. */
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

const PROJECT_FOLDER = dirname(findPackageJSON(import.meta.url)!)

/** Gives the absolute path of a file or folder of the project, from its parts, e.g. `projectPath('schema', 'api.graphql')`. */
export const projectPath = (...parts: readonly string[]): string => join(PROJECT_FOLDER, ...parts)
