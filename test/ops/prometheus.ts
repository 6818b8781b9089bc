/** Prometheus as the machine has it, watching servers of a test with the rules of `ops/` and short intervals. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse, stringify } from 'yaml'
import { RULES_FILE } from '#test/support/ops.ts'
import { findProgram } from '#test/support/programs.ts'
import { readText } from '#test/support/sources.ts'

export const PROMETHEUS = findProgram('prometheus')
export const PROMTOOL = findProgram('promtool')
export const AMTOOL = findProgram('amtool')

const missing = [
  ...(PROMETHEUS && PROMTOOL ? [] : ['prometheus']),
  ...(AMTOOL ? [] : ['prometheus-alertmanager']),
]
if (missing.length > 0)
  console.warn(`Without ${missing.join(' and ')} alerts are not tried: apt-get install ${missing.join(' ')}`)

/** Runs a program to its end. */
export const run = async (program: string, args: readonly string[], cwd: string) => {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { code: code as number, said: out + faults }
}

/** How often it scrapes and evaluates; longer than a scrape of a process that hangs takes. */
const INTERVAL = '2s'

/** The rules with windows and waits of seconds, and the same thresholds. */
const shortened = (rules: string): string =>
  rules.replaceAll(/^( +for: ).*$/gm, '$11s').replaceAll(/\[\d+[mh]\]/g, '[10s]')

/** The example of Prometheus, with these addresses of `/metrics/targets`. */
const configFor = (discovery: readonly string[]): string => {
  const config = parse(readText('ops/prometheus/prometheus.yml'))
  const [job] = config.scrape_configs
  const http_sd_configs = discovery.map(url => ({
    ...job.http_sd_configs[0],
    url,
    refresh_interval: INTERVAL,
  }))
  return stringify({
    ...config,
    global: { scrape_interval: INTERVAL, scrape_timeout: INTERVAL, evaluation_interval: '1s' },
    alerting: undefined,
    scrape_configs: [{ ...job, http_sd_configs }],
  })
}

const freePort = async (): Promise<number> => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise(done => server.close(done))
  return port
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

export interface Prometheus extends AsyncDisposable {
  /** Names of the alerts that fire. */
  firing(): Promise<string[]>
  /** Names of the processes that it scrapes. */
  processes(): Promise<string[]>
}

/** Starts Prometheus; use with `await using`. */
export async function startPrometheus(discovery: readonly string[]): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'partner-graph-prometheus-'))
  await writeFile(join(folder, 'prometheus.yml'), configFor(discovery))
  await writeFile(join(folder, 'rules.yml'), shortened(readText(RULES_FILE)))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    PROMETHEUS!,
    ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`],
    { cwd: folder, stdio: 'ignore' },
  )
  // biome-ignore lint/suspicious/noExplicitAny: what Prometheus answers as JSON
  const ask = async (path: string): Promise<any> => {
    if (child.exitCode !== null) throw new Error('Prometheus has ended')
    const response = await fetch(`http://${address}/api/v1/${path}`)
    return ((await response.json()) as { data: unknown }).data
  }
  return {
    async firing() {
      const { alerts } = await ask('alerts').catch(() => ({ alerts: [] }))
      const firing = alerts.filter(({ state }: { state: string }) => state === 'firing')
      return [
        ...new Set<string>(firing.map(({ labels }: { labels: { alertname: string } }) => labels.alertname)),
      ]
    },
    async processes() {
      const { activeTargets } = await ask('targets').catch(() => ({ activeTargets: [] }))
      const well = activeTargets.filter(({ health }: { health: string }) => health === 'up')
      return well.map(({ labels }: { labels: { process: string } }) => labels.process).toSorted()
    },
    async [Symbol.asyncDispose]() {
      await ended(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
