/**
 * Versions of the program that may serve a database. A migration that only adds leaves earlier versions what they use; one
 * that takes away writes into `access.served_from` which version is the earliest that does without it.
 */
import { VERSION } from '../config/project-files.ts'

const byNumber = new Intl.Collator('en', { numeric: true })

/** Picks the latest of some versions of the form 1.2.3; undefined where there is none. */
export const latestOf = (versions: readonly string[]): string | undefined =>
  versions.toSorted(byNumber.compare).at(-1)

/** The part of a database's state that says who may serve it. */
interface Served {
  /** The migrations that this version does not know, oldest first. */
  readonly unknown: readonly string[]
  /** The earliest version that can serve it; undefined where nothing has been taken away. */
  readonly servedFrom?: string
}

/**
 * Says in a sentence why a version of the program must not serve a database; undefined where it may.
 * @param version as in `package.json`, this program's unless given.
 */
export function refusalOf({ unknown, servedFrom }: Served, version = VERSION): string | undefined {
  if (servedFrom === undefined || byNumber.compare(version, servedFrom) >= 0) return undefined
  const last = unknown.at(-1)
  const lacks = last ? `, which does not know ${unknown.length} of its migration(s), the last is ${last}` : ''
  return `The database is newer than this program: versions from ${servedFrom} on can serve it, and this is ${version}${lacks}: run ${servedFrom} or a later version`
}
