/** The package as others install it: packed, unpacked, and imported by Node.js and by a bundler for browsers. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'

const PACKAGE = join(import.meta.dirname, '../../packages/client')
const LONG_MS = 120_000

let folder: string
let installed: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-'))
  installed = join(folder, 'node_modules/@partner-graph/client')
  mkdirSync(installed, { recursive: true })
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: PACKAGE, encoding: 'utf8', timeout: LONG_MS })
  // Built into a folder of its own: the workspace stays as it is.
  const compiler = join(PACKAGE, '../../node_modules/typescript/bin/tsc')
  run(process.execPath, compiler, '-p', 'tsconfig.build.json', '--outDir', join(installed, 'dist'))
  writeFileSync(join(installed, 'package.json'), readFileSync(join(PACKAGE, 'package.json')))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}, LONG_MS)
afterAll(() => rmSync(folder, { recursive: true }))

it('CLIENT-PACK-01 every entry of the package is imported by Node.js, without packages beside it', () => {
  const { exports, dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()
  const names = Object.keys(exports).filter(name => name !== './react')
  const script = `for (const name of ${JSON.stringify(names)})
    console.log(name, Object.keys(await import('@partner-graph/client' + name.slice(1))).sort().join())`
  const file = join(folder, 'main.js')
  writeFileSync(file, script)
  const lines = execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim().split('\n')
  expect(lines).toEqual([
    '. Interruption,Refusal,clientCredentials,createClient,follow,memoryCursorStore',
    './indexed-db indexedDbCursorStore',
    './node fileCursorStore,webhookListener',
    './webhooks WebhookRefusal,createWebhookReceiver,memoryReplayStore',
  ])
})

it('CLIENT-PACK-02 a bundle for browsers has nothing of Node.js in it, and is small', async () => {
  const entry = join(folder, 'page.js')
  writeFileSync(
    entry,
    `export * from '@partner-graph/client'
    export * from '@partner-graph/client/indexed-db'
    export * from '@partner-graph/client/react'
    export * from '@partner-graph/client/webhooks'`,
  )
  const result = (await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry, formats: ['es'], fileName: 'page' },
      rolldownOptions: { external: ['react'] },
    },
  })) as Rolldown.RolldownOutput[]
  const [{ code }] = result[0]!.output
  expect(code).not.toMatch(/node:|\bprocess\b|\bBuffer\b/)
  expect(code.length).toBeLessThan(40_000)
})

it('CLIENT-PACK-03 its declarations need no file of this repository', () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  for (const { types } of Object.values<{ types: string }>(exports)) {
    const text = readFileSync(join(installed, types), 'utf8')
    expect(text).not.toMatch(/['"]#|\.\.\/\.\./)
  }
})
