/** Traces and their collector: one that is away or never answers costs nothing, and without settings nothing is loaded. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from '#core/config/config.ts'
import { createLog } from '#core/observability/log.ts'
import { createTracing } from '#core/observability/opentelemetry.ts'
import { TraceReceiver } from './receiver.ts'

vi.setConfig({ testTimeout: 180_000 })
afterEach(() => vi.unstubAllEnvs())

/** Begins to trace in this process, to an address. */
const traceTo = (address: string) => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: address,
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    OTEL_BSP_EXPORT_TIMEOUT: '300',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    OTEL_BSP_MAX_QUEUE_SIZE: '512',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '128',
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
  const { traces } = readConfig({ ...settings, DATA_DIR: 'memory:' })
  return { lines, tracing: createTracing({ traces: traces!, databaseUrl: undefined, service: 'test', log }) }
}

type Tracing = ReturnType<typeof traceTo>['tracing']

const SPANS = 60_000
/** Far above what so many spans take that nobody waits for, far below what they take where each batch is waited for. */
const MOST_MS = 30_000
/** Bytes; so many spans that were kept would take several times as much. */
const MOST_HEAP = 60 * 1024 * 1024

/** Begins and ends spans as requests would; resolves with the time in milliseconds and the growth of the heap in bytes. */
const record = async (tracing: Tracing) => {
  globalThis.gc?.()
  const [began, heap] = [performance.now(), process.memoryUsage().heapUsed]
  for (let at = 0; at < SPANS; at++) {
    tracing.start(`span ${at}`, { attributes: { 'partner_graph.correlator': `correlator-${at}` } }).end()
    if (at % 500 === 0) await setImmediate()
  }
  globalThis.gc?.()
  return { ms: performance.now() - began, heap: process.memoryUsage().heapUsed - heap }
}

it('waits for no collector that never answers, keeps a bounded number of spans, and goes on when it answers', async () => {
  await using receiver = await TraceReceiver.start()
  await receiver.be('silent')
  const { tracing, lines } = traceTo(receiver.address)
  const { ms, heap } = await record(tracing)
  expect(ms).toBeLessThan(MOST_MS)
  if (globalThis.gc) expect(heap).toBeLessThan(MOST_HEAP)
  const said = (words: string) => lines.filter(({ msg }) => String(msg).startsWith(words))
  await vi.waitFor(() => expect(said('traces cannot be sent').length).toBeGreaterThan(0), { timeout: 30_000 })
  await receiver.be('ok')
  await vi.waitFor(
    () => {
      tracing.start('again').end()
      expect(said('traces are sent again').length).toBeGreaterThan(0)
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(said('traces are sent again')[0]!['lost']).toBeGreaterThan(0)
  await tracing.stop()
  const spans = await receiver.spans()
  expect(spans.length).toBeLessThan(SPANS / 2)
  expect(spans.map(({ name }) => name)).toContain('again')
})

it('ends in two seconds and a little where the collector is down', async () => {
  const receiver = await TraceReceiver.start()
  const { address } = receiver
  await receiver[Symbol.asyncDispose]()
  const { tracing, lines } = traceTo(address)
  expect((await record(tracing)).ms).toBeLessThan(MOST_MS)
  const began = performance.now()
  await tracing.stop()
  expect(performance.now() - began).toBeLessThan(10_000)
  expect(lines.filter(({ msg }) => String(msg).startsWith('traces cannot be sent')).length).toBeLessThan(2)
})

/** Reports at its end which packages of OpenTelemetry a program has loaded. */
const REPORT = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  import { writeSync } from 'node:fs'
  const loaded = new Set()
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? []
      if (name) loaded.add(name)
      return next(url, context)
    },
  })
  process.on('exit', () => writeSync(2, 'LOADED ' + JSON.stringify([...loaded]) + '\\n'))`)}`

/** Starts the program, ends it once it serves, and resolves with what it had loaded. */
const loadedBy = async (env: Record<string, string>): Promise<string[]> => {
  const main = join(import.meta.dirname, '../../../gateway/main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', REPORT, main], {
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: 'memory:', DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  child.stdout.on('data', (chunk: Buffer) => chunk.includes('"ready"') && child.kill('SIGTERM'))
  const said = await text(child.stderr)
  await exited
  return JSON.parse(/^LOADED (.*)$/m.exec(said)![1]!) as string[]
}

it('loads nothing that makes or sends traces unless an endpoint is set', async () => {
  const isOfTraces = (name: string) => /sdk-trace|exporter-trace/.test(name)
  // Apollo Gateway loads the interface and its own metrics by itself, whatever is set.
  expect((await loadedBy({})).filter(isOfTraces)).toEqual([])
  const loaded = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(loaded.filter(isOfTraces).length).toBeGreaterThan(0)
})
