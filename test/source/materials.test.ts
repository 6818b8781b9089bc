/** The bill of materials and the audit of packages. */
import { describe, expect, it } from 'vitest'
import { productionPackages } from '../../docs/build/packages.ts'
import { readText } from '../support/sources.ts'
import { judgeReport } from './audit.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly unknown[]
}

describe('bill of materials', () => {
  const bill = JSON.parse(readText('docs/sbom.cdx.json')) as { bomFormat: string; components: Component[] }

  it('SBOM-01 MUST name each package of an installation once, with hash and licence', () => {
    expect(bill.bomFormat).toBe('CycloneDX')
    const names = bill.components.map(({ name, version }) => `${name} ${version}`)
    expect(names).toEqual(productionPackages().map(({ name, version }) => `${name} ${version}`))
    expect(new Set(names).size).toBe(names.length)
    const incomplete = bill.components.filter(
      ({ hashes, licenses }) => !hashes?.[0]?.content || !licenses?.[0],
    )
    expect(incomplete.map(({ name }) => name)).toEqual([])
  })

  it('SBOM-02 MUST write package URLs with an encoded scope, and no registry’s address', () => {
    const gateway = bill.components.find(({ name }) => name === '@apollo/gateway')!
    expect(gateway.purl).toBe(`pkg:npm/%40apollo/gateway@${gateway.version}`)
    expect(gateway.hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
    expect(readText('docs/sbom.cdx.json')).not.toContain('://')
  })
})

describe('audit', () => {
  const vulnerable = (severity: string) =>
    JSON.stringify({ vulnerabilities: { ws: { severity, range: '<9' } } })

  it('AUDIT-01 MUST end with a fault where an advisory is high or critical', () => {
    expect(judgeReport(vulnerable('critical'))).toEqual({ lines: ['critical: ws <9'], isFault: true })
    expect(judgeReport(vulnerable('high')).isFault).toBe(true)
    expect(judgeReport(vulnerable('low'))).toEqual({ lines: ['low: ws <9'], isFault: false })
    expect(judgeReport('{"vulnerabilities":{}}').isFault).toBe(false)
  })

  it.each(['', '{"message":"405 Method Not Allowed","error":{"summary":"","detail":""}}'])(
    'AUDIT-02 MUST say so where the registry gives no advisories: %s',
    text => {
      expect(judgeReport(text)).toEqual({
        lines: ['The registry gives no advisories, so nothing was compared.'],
        isFault: false,
      })
    },
  )
})
