/** Text of docs/licences.md: the licences of all packages that an installation for production holds. */
import { productionPackages } from './packages.ts'

const HEAD = `# Licences

The packages of an installation without development dependencies, by licence, from \`package-lock.json\`
(\`npm run docs:pages\`). For machines the same stands in [sbom.cdx.json](sbom.cdx.json), a bill of materials in CycloneDX,
and \`npm run check:audit\` asks the registry for advisories about them. The program itself is under the MIT License. What the
Elastic License 2.0 of Apollo's gateway packages forbids stands in
[adr/0007-licence-of-apollo-gateway.md](adr/0007-licence-of-apollo-gateway.md).
`

/** Packages by their licence, each once by name and version. */
const packagesByLicence = (): Map<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  for (const { name, version, license = 'not stated' } of productionPackages()) {
    const names = found.get(license) ?? new Set()
    found.set(license, names.add(`${name} ${version}`))
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
