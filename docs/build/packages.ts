/** Packages that an installation for production holds, from `package-lock.json`. */
import { readFileSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'

/** An entry of the lock file. */
interface Locked {
  /** The package itself, where it is installed under another name. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  /** A workspace of this repository. */
  readonly link?: boolean
}

export interface Package {
  readonly name: string
  readonly version: string
  /** Licence as the package states it; undefined where it states none. */
  readonly license: string | undefined
  /** Subresource integrity of its archive. */
  readonly integrity: string | undefined
}

const NAME = /^(?:.*\/)?node_modules\//

/** Each package once by name and version, in their order, without development packages and binaries for one platform. */
export function productionPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Map<string, Package>()
  for (const [
    path,
    { name, version, license, integrity, dev, devOptional, optional, link },
  ] of Object.entries(packages)) {
    if (!NAME.test(path) || dev || devOptional || optional || link) continue
    const one = { name: name ?? path.replace(NAME, ''), version: version!, license, integrity }
    found.set(`${one.name} ${one.version}`, one)
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one)
}
