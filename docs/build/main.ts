/** Writes the pages that are made of declarations: `npm run docs:pages`; with `--check` it compares instead of writing. */
import { readFileSync, writeFileSync } from 'node:fs'
import { projectPath } from '#core/config/project-files.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { licencesPage } from './licences.ts'
import { settingsPage } from './settings.ts'

const PAGES = {
  'docs/settings.md': settingsPage,
  'docs/licences.md': licencesPage,
  'docs/sbom.cdx.json': billOfMaterials,
}

const readOrNothing = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const checks = process.argv.includes('--check')

for (const [name, write] of Object.entries(PAGES)) {
  const file = projectPath(name)
  if (!checks) writeFileSync(file, write())
  else if (readOrNothing(file) !== write()) {
    console.error(`${name} is out of date: run npm run docs:pages`)
    process.exitCode = 1
  }
}
