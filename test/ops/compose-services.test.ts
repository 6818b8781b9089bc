/** ops/compose/services.yaml: each service as processes of its own, found by the balancer, the gateway and Prometheus. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '#core/config/config.ts'
import { projectPath } from '#core/config/project-files.ts'
import { SERVICES } from '#subgraphs/names.ts'
import { findProgram } from '../support/programs.ts'
import { readText } from '../support/sources.ts'

interface Service {
  readonly command?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const { services } = parse(readText('ops/compose/services.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
}
const names = SERVICES.map(({ name }) => name)
const balancer = readText('ops/compose/services.cfg')

it('starts every service, by the command that starts it alone', () => {
  for (const name of names) expect(services[name]?.command).toEqual(['subgraphs/main.ts', name])
  const programs = Object.values(services).flatMap(({ command = [] }) => command.slice(0, 1))
  expect(programs.filter(file => !existsSync(projectPath(file)))).toEqual([])
})

it('has the gateway reach every service through the balancer, which finds its processes', () => {
  const { subgraphUrls } = readConfig({ ...services['partner-graph']!.environment })
  expect([...subgraphUrls.keys()]).toEqual(names)
  for (const [name, url] of subgraphUrls) {
    const { hostname, port } = new URL(url)
    expect(Object.keys(services)).toContain(hostname)
    const section = balancer.split(/^(?=listen )/m).find(text => text.startsWith(`listen ${name}\n`))
    expect(section).toContain(`bind :${port}\n`)
    expect(section).toMatch(new RegExp(`server-template \\S+ \\d+ ${name}:4000\\n`))
  }
})

it('has Prometheus scrape every process', () => {
  const { scrape_configs: jobs } = parse(readText('ops/compose/prometheus.services.yml')) as {
    scrape_configs: { dns_sd_configs?: { names: string[] }[] }[]
  }
  expect(jobs.flatMap(({ dns_sd_configs: found = [] }) => found.flatMap(one => one.names))).toEqual(names)
})

it('mounts files that the repository has', () => {
  const files = Object.values(services).flatMap(({ volumes = [] }) => volumes.map(one => one.split(':')[0]!))
  expect(files.filter(file => !existsSync(projectPath(file)))).toEqual([])
})

const haproxy = findProgram('haproxy')
if (!haproxy) console.warn('Without haproxy its files are not checked: apt-get install haproxy')

it.skipIf(!haproxy).each(['ops/compose/services.cfg', 'ops/proxy/services.cfg'])(
  'is valid to HAProxy: %s',
  file => {
    execFileSync(haproxy!, ['-c', '-f', projectPath(file)], { stdio: 'pipe', timeout: 30_000 })
  },
)
