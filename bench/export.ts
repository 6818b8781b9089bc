/**
 * `node bench/export.ts [entries]`: a timeline of 1,000,000 entries taken along as CSV and as JSON lines, by a reader that
 * takes what it gets and by one that takes 1 MiB a second, and what the server holds meanwhile. A table; no peer, and so no
 * part of `npm run bench`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { fillClients } from './lib/fill.ts'
import { fillTimeline } from './lib/fill-timeline.ts'
import { tokenHeaders } from './lib/pair.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const entries = Number(process.argv[2] ?? 1_000_000)
const SLOW_BYTES_PER_SECOND = 1_024 * 1_024
const SLOW_SECONDS = 30
const LOOK_EACH_MS = 5_000

const mebibytes = (bytes: number) => `${(bytes / 1_024 / 1_024).toFixed(1)} MiB`

/** Measures the largest heap of the server after garbage collection, until it has to end. */
const watch = (server: Server) => {
  const ending = new AbortController()
  let heap = 0
  let rss = 0
  const look = async () => {
    const memory = await server.memory()
    heap = Math.max(heap, memory.heap)
    rss = Math.max(rss, memory.rss)
  }
  const watching = (async () => {
    while (!ending.signal.aborted) {
      await look()
      await delay(LOOK_EACH_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    ending.abort()
    await watching
    return { heap, rss }
  }
}

interface Read {
  readonly bytes: number
  readonly lines: number
}

const linesIn = (chunk: Uint8Array): number => {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}

/** Reads to the end, or as long as it may. */
const readAll = async (response: Response): Promise<Read> => {
  let [bytes, lines] = [0, 0]
  for await (const chunk of response.body!) {
    bytes += chunk.length
    lines += linesIn(chunk)
  }
  return { bytes, lines }
}

const readSlowly = async (response: Response): Promise<Read> => {
  const start = performance.now()
  let [bytes, lines] = [0, 0]
  for await (const chunk of response.body!) {
    bytes += chunk.length
    lines += linesIn(chunk)
    const spent = performance.now() - start
    if (spent > SLOW_SECONDS * 1_000) break
    await delay(Math.max(0, (bytes / SLOW_BYTES_PER_SECOND) * 1_000 - spent))
  }
  return { bytes, lines }
}

const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

await using scratch = await createScratch()
await fillClients(scratch.client)
await fillTimeline(scratch.client, entries)
await using server = await startServer('gateway/main.ts', {
  env: { ...process.env, DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '0' },
})
const headers = await tokenHeaders(server.address, 'bench-analyst')
const get = (name: string) => fetch(`${server.address}/exports/timeline.${name}`, { headers })

/** The first export of a process compiles and caches what the others find. */
await readAll(await get('csv?from=2026-09-01T00:00:00Z'))

row(['export', 'rows', 'bytes', 'seconds', 'rows a second', 'heap before', 'most heap', 'most resident'])
row(Array(8).fill('---'))
for (const [what, name, read] of [
  ['CSV', 'csv', readAll],
  ['JSON lines', 'ndjson', readAll],
  [`CSV, read at 1 MiB a second for ${SLOW_SECONDS} s`, 'csv', readSlowly],
] as const) {
  const before = await server.memory()
  const endWatch = watch(server)
  const start = performance.now()
  const { bytes, lines } = await read(await get(name))
  const seconds = (performance.now() - start) / 1_000
  const most = await endWatch()
  const rows = lines - (name === 'csv' ? 1 : 0)
  row([
    what,
    rows.toLocaleString('en'),
    mebibytes(bytes),
    seconds.toFixed(1),
    Math.round(rows / seconds).toLocaleString('en'),
    mebibytes(before.heap),
    mebibytes(most.heap),
    mebibytes(most.rss),
  ])
}
