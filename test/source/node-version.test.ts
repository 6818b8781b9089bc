/** Refusal of an older Node.js, in one sentence, by whichever program meets it first. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'

const require = createRequire(import.meta.url)
const { faultOf } = require('../../require-node.cjs') as { faultOf(version: string): string | undefined }
const packageJson = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))

it('NODE-01 MUST refuse each version that package.json does not ask for, and no other', () => {
  expect(packageJson.engines.node).toBe('>=24')
  for (const version of ['0.12.18', '18.20.8', '20.20.2', '22.22.0', '23.11.1'])
    expect(faultOf(version)).toMatch(
      /^partner-graph needs Node\.js 24 or later, and this is [\d.]+: install it[^\n]*$/,
    )
  for (const version of ['24.0.0', '24.21.0', '26.1.0']) expect(faultOf(version)).toBeUndefined()
})

it('NODE-02 MUST look at the version before anything that an older Node.js cannot read', () => {
  expect(packageJson.scripts.postinstall).toMatch(/^node require-node\.cjs && /)
  const programs = Object.entries<string>(packageJson.scripts).filter(([name]) =>
    /^(start|cli|db:migrate)/.test(name),
  )
  expect(programs.length).toBeGreaterThanOrEqual(6)
  for (const [name, command] of programs) expect(command, name).toContain('--import ./compile-cache.js ')
  const imports = readFileSync(projectPath('compile-cache.js'), 'utf8').match(/^import .*$/gm)!
  const own = imports.filter(line => !line.includes("'node:"))
  expect(own[0]).toBe("import './require-node.cjs'")
  // A name that Node.js does not export is refused before the first module is run.
  expect(readFileSync(projectPath('compile-cache.js'), 'utf8')).not.toMatch(
    /import \{[^}]*\} from 'node:module'/,
  )
})
