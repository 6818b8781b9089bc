/** Arguments of Node.js by which a server is started sabotaged. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** @param name of a sabotage; none for the program as it is. */
export const sabotageArguments = (name: string | undefined): string[] =>
  name === undefined
    ? []
    : ['--import', `${pathToFileURL(join(import.meta.dirname, 'hook.ts')).href}?${encodeURIComponent(name)}`]
