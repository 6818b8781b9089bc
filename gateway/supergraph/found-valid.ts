/**
 * Supergraphs that Apollo Gateway has found valid: the same text is not looked through a second time, which would take as
 * long as reading it.
 */

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { keepFile, keptFile } from '#core/config/project-files.ts'

/** What is valid, another version may see otherwise. */
const { version } = createRequire(import.meta.url)('@apollo/gateway/package.json') as { version: string }

/** What says of a text that it is valid. */
export const validityFile = (supergraphSdl: string): string =>
  keptFile(`valid-${createHash('sha256').update(version).update(supergraphSdl).digest('hex').slice(0, 32)}`)

export const wasFoundValid = (supergraphSdl: string): boolean => existsSync(validityFile(supergraphSdl))

/** Remembers it of a supergraph that was loaded. */
export function noteValid(supergraphSdl: string): void {
  if (!wasFoundValid(supergraphSdl)) keepFile(validityFile(supergraphSdl), '')
}
