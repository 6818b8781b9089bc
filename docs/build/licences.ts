/** Text of docs/licences.md: the licences of all packages that an installation for production holds. */
import { readFileSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'

const HEAD = `# Licences

The packages of an installation without development dependencies, by licence, from \`package-lock.json\`
(\`npm run docs:pages\`). The program itself is under the MIT License. What the Elastic License 2.0 of Apollo's gateway
packages forbids stands in [adr/0007-licence-of-apollo-gateway.md](adr/0007-licence-of-apollo-gateway.md).
`

interface Locked {
  /** The package itself, where it is installed under another name. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  /** A workspace of this repository. */
  readonly link?: boolean
}

const NAME = /^(?:.*\/)?node_modules\//

/** Packages by their licence, each once by name and version, without binaries for one platform. */
const packagesByLicence = (): Map<string, Set<string>> => {
  const { packages } = JSON.parse(readFileSync(projectPath('package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  const found = new Map<string, Set<string>>()
  for (const [
    path,
    { name, version, license = 'not stated', dev, devOptional, optional, link },
  ] of Object.entries(packages)) {
    if (!NAME.test(path) || dev || devOptional || optional || link) continue
    const names = found.get(license) ?? new Set()
    found.set(license, names.add(`${name ?? path.replace(NAME, '')} ${version}`))
  }
  return found
}

/** The text of docs/licences.md. */
export const licencesPage = (): string => {
  const sections = [...packagesByLicence()].toSorted(
    ([one, ours], [other, theirs]) => theirs.size - ours.size || one.localeCompare(other),
  )
  const paragraphs = sections.map(
    ([licence, names]) => `## ${licence} (${names.size})\n\n${[...names].toSorted().join(', ')}\n`,
  )
  return [HEAD, ...paragraphs].join('\n')
}
