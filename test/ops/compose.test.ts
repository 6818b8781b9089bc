/** compose.yaml names what is there: files of the repository, secrets that are prepared, settings that exist. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import { SETTINGS } from '#core/config/settings.ts'
import { readText } from '../support/sources.ts'

interface Service {
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, object>> | readonly string[]
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const compose = parse(readText('compose.yaml'), { merge: true }) as Compose
const services = Object.values(compose.services)

/** The folder as `prepare.sh` leaves it. */
const prepared = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'compose-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(projectPath('ops/compose'), join(folder, 'ops/compose'), { recursive: true })
  execFileSync(join(folder, 'ops/compose/prepare.sh'))
  return folder
}

it('mounts volumes that it declares and files that the repository has', () => {
  const sources = services.flatMap(({ volumes = [] }) => volumes.map(volume => volume.split(':')[0]!))
  const [files, named] = [
    sources.filter(one => one.startsWith('./')),
    sources.filter(one => !one.startsWith('./')),
  ]
  expect(files.filter(file => !existsSync(projectPath(file)))).toEqual([])
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
})

it('gives services the secrets that are declared, and waits for services that are there', () => {
  const secrets = services.flatMap(service => service.secrets ?? [])
  expect(new Set(secrets)).toEqual(new Set(Object.keys(compose.secrets)))
  const awaited = services.flatMap(({ depends_on: on = [] }) => (Array.isArray(on) ? on : Object.keys(on)))
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(awaited))
})

it('starts with the secrets and settings that its script prepares', () => {
  const folder = prepared()
  const env: Record<string, string> = {}
  for (const line of readFileSync(join(folder, 'ops/compose/settings.env'), 'utf8').split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name) env[name] = value!
  }
  Object.assign(env, compose.services['partner-graph']!.environment)
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    for (const [setting, value] of Object.entries(env))
      if (value === `/run/secrets/${name}`) env[setting] = join(folder, file)
  }
  const known = Object.keys(SETTINGS).flatMap(name => [name, `${name}_FILE`])
  expect(known).toEqual(expect.arrayContaining(Object.keys(env)))
  expect(readConfig(env)).toMatchObject({
    databaseUrl: expect.stringMatching(/^postgresql:.*@postgres:5432/),
  })
})

it('gives Grafana the board, and the metrics of the Prometheus beside it', () => {
  const { volumes = [] } = compose.services['grafana']!
  const mountedAt = (target: string) =>
    volumes.map(volume => volume.split(':')).find(([, at]) => at!.startsWith(target))![0]!
  const read = (target: string) => parse(readText(mountedAt(`/etc/grafana/provisioning/${target}`)))
  const [{ url }] = (read('datasources') as { datasources: { url: string }[] }).datasources as [
    { url: string },
  ]
  expect(Object.keys(compose.services)).toContain(new URL(url).hostname)
  const [{ options }] = (read('dashboards') as { providers: { options: { path: string } }[] }).providers as [
    { options: { path: string } },
  ]
  expect(existsSync(projectPath(mountedAt(options.path), 'partner-graph.json'))).toBe(true)
})

it('keeps secrets that are there already', () => {
  const folder = prepared()
  const key = () => readFileSync(join(folder, 'ops/compose/secrets/secrets-key'), 'utf8')
  const before = key()
  execFileSync(join(folder, 'ops/compose/prepare.sh'))
  expect(key()).toBe(before)
})

it('keeps its secrets and settings out of the image, which is built from the same folder', () => {
  const ignored = readText('.dockerignore').split('\n')
  const secrets = Object.values(compose.secrets).map(({ file }) => file.replace(/^\.\//, ''))
  expect(secrets.length).toBeGreaterThan(0)
  for (const file of [...secrets, 'ops/compose/settings.env'])
    expect(ignored.some(path => file === path || file.startsWith(`${path}/`))).toBe(true)
})
