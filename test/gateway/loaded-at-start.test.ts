/** Packages that a start does not load: those of developers, and those that a later moment or another program needs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { projectPath } from '#core/config/project-files.ts'

const PROGRAM = `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? []
      if (name) loaded.add(name)
      return next(url, context)
    },
  })
  await import('#gateway/all-in-one.ts')
  console.log(JSON.stringify([...loaded]))`

/** Dependencies of production that only the command line, a connector or a first request needs. */
const LATER = [
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  '@prisma/schema-engine-wasm',
  'cli-progress',
  'commander',
  'csv-parse',
  'pino-pretty',
  'smpp',
  'swagger-ui-dist',
  'yaml',
  'zod',
]

it('LOADED-01 a start MUST load no development package, and none that is needed later or by another program', {
  timeout: 60_000,
}, () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: projectPath(''),
    encoding: 'utf8',
  })
  const loaded = JSON.parse(stdout) as string[]
  expect(loaded).toContain('@apollo/gateway')
  const { devDependencies } = JSON.parse(readFileSync(projectPath('package.json'), 'utf8'))
  expect(loaded.filter(name => LATER.includes(name) || name in devDependencies)).toEqual([])
})
