/** Packages that are not loaded: `npm run test:ways` runs without them, here is whether the list is still true. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PROGRAM = join(ROOT, 'gateway/all-in-one.ts')

/** What a program prints that is started as the server is. */
const run = (program: string): string => {
  const args = ['--import', './left-out.js', '--input-type=module', '--eval', program]
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stdout
}

const table = JSON.parse(
  run(`console.log(JSON.stringify((await import('./left-out.js')).LEFT_OUT))`),
) as Record<string, string[]>
const listed = Object.entries(table).flatMap(([owner, names]) => names.map(name => ({ owner, name })))

const sourcesOf = (owner: string): string[] =>
  globSync(join(ROOT, 'node_modules', owner, 'dist/**/*.js')).map(file => readFileSync(file, 'utf8'))

test.each(listed)('LEFT-01 $owner names $name', ({ owner, name }) => {
  const named = new RegExp(`(require\\(|from )["']${name}["']`)
  expect(sourcesOf(owner).some(source => named.test(source))).toBe(true)
})

it('LEFT-02 none of them is loaded with the program', { timeout: 30_000 }, () => {
  const loaded = run(`
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(PROGRAM)})
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'))`)
  expect(loaded).toContain('/@apollo/gateway/')
  for (const { name } of listed) expect(loaded).not.toContain(`/node_modules/${name}/`)
})
