/** Names of statements: one that has a name is parsed and planned once for each connection. */
import { createHash } from 'node:crypto'

/**
 * Makes the function that names statements by their text; undefined once so many are named, since a connection keeps
 * them for as long as it lasts.
 */
export const createStatementNames = (most: number): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return text => {
    const known = names.get(text)
    if (known !== undefined || names.size >= most) return known
    const name = createHash('sha1').update(text).digest('base64url')
    names.set(text, name)
    return name
  }
}
