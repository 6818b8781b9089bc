/**
 * Text of docs/sbom.cdx.json: the bill of materials in CycloneDX 1.6, the same packages as in docs/licences.md. `npm sbom`
 * knows more of each, and the day, the machine's registry and its own version; so it never gives the same text twice.
 */
import { VERSION } from '#core/config/project-files.ts'
import manifest from '#package.json' with { type: 'json' }
import { type Package, productionPackages } from './packages.ts'

/** A package URL (purl) of npm: the scope's `@` is percent-encoded. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** Licences by their SPDX id, or as an expression of several. */
const licencesOf = (license: string | undefined) => {
  if (license === undefined) return {}
  const isExpression = /[ ()]/.test(license)
  return { licenses: isExpression ? [{ expression: license }] : [{ license: { id: license } }] }
}

const HASHES: Readonly<Record<string, string>> = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' }

/** Subresource integrity as a hash in hexadecimal. */
const hashesOf = (integrity: string | undefined) => {
  const [, algorithm, digest] = /^(\w+)-(.+)$/.exec(integrity ?? '') ?? []
  const alg = HASHES[algorithm ?? '']
  return alg ? { hashes: [{ alg, content: Buffer.from(digest!, 'base64').toString('hex') }] } : {}
}

const toComponent = ({ name, version, license, integrity }: Package) => {
  const purl = purlOf(name, version)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: 'required',
    purl,
    ...hashesOf(integrity),
    ...licencesOf(license),
  }
}

/** The text of docs/sbom.cdx.json. */
export function billOfMaterials(): string {
  const component = {
    type: 'application',
    'bom-ref': purlOf(manifest.name, VERSION),
    name: manifest.name,
    version: VERSION,
    purl: purlOf(manifest.name, VERSION),
    ...licencesOf(manifest.license),
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components: productionPackages().map(toComponent),
  }
  return `${JSON.stringify(bill, undefined, 1)}\n`
}
