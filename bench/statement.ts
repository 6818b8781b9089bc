/**
 * `node bench/statement.ts [rows]`: the statement of a day on which one partner posted 1,000,000 payments, each with its event:
 * how long it takes to be made and to be read, as JSON and as CSV, and what the server holds meanwhile. A table; no peer, and so
 * no part of `npm run bench`.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { localDay } from '#core/values/time.ts'
import { ACCOUNTS, fillClients, fillDirectory, fillTransactions, PAYMENTS } from './lib/fill.ts'
import { tokenHeaders } from './lib/pair.ts'
import { createScratch, SECRETS_KEY } from './lib/scratch.ts'
import { type Server, startServer } from './lib/server.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const day = localDay(new Date(Date.now() - 86_400_000), 'Asia/Muscat')
const LOOK_EACH_MS = 500
const WITHIN_MS = 1_800_000

const mebibytes = (bytes: number) => `${(bytes / 1_024 / 1_024).toFixed(1)} MiB`
const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

interface Most {
  heap: number
  rss: number
}

/** Runs work, and measures the largest heap after garbage collection and the largest resident size meanwhile. */
async function watching<T>(
  server: Server,
  work: () => Promise<T>,
): Promise<{ result: T; most: Most; ms: number }> {
  const most: Most = { heap: 0, rss: 0 }
  const ending = new AbortController()
  const watch = (async () => {
    while (!ending.signal.aborted) {
      const { heap, rss } = await server.memory()
      most.heap = Math.max(most.heap, heap)
      most.rss = Math.max(most.rss, rss)
      await delay(LOOK_EACH_MS, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  const start = performance.now()
  try {
    const result = await work()
    return { result, most, ms: performance.now() - start }
  } finally {
    ending.abort()
    await watch
  }
}

await using scratch = await createScratch()
const { client } = scratch
await fillClients(client)
await fillDirectory(client)
await fillTransactions(client, PAYMENTS, rows, { from: `${day} 00:00:00+04`, days: 1 })
await client.query(`
  INSERT INTO events.event (position, eventid, kind, event_type, event_time, transaction_id, operation_status, status,
    description, client_correlator_id, payment_date, client_id, account_number, mobile_number)
  SELECT n, ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, 'PAYMENT', 'PAYMENT_COMPLETED', now(),
    ('01900000-0000-7000-8${PAYMENTS.mark}-' || lpad(to_hex(n), 12, '0'))::uuid, 'succeeded', 'succeeded',
    'The payment was posted to the account', 'fill-' || n, now(), 'bench-partner', 900000 + n % ${ACCOUNTS}, 96897000000 + n % ${ACCOUNTS}
  FROM generate_series(1, ${rows}) n`)
await client.query(`INSERT INTO books.book (name, client_id, position) VALUES ('event', '', ${rows})`)
// The timeline is not what is measured.
await client.query(`UPDATE activity.progress SET position = ${rows}, timezone = 'Asia/Muscat'`)
await client.query('ANALYZE events.event')

await using server = await startServer('gateway/main.ts', {
  env: { ...process.env, DATABASE_URL: scratch.url, SECRETS_KEY, DEMO: '0' },
})
const made = await watching(server, async () => {
  const end = performance.now() + WITHIN_MS
  for (;;) {
    const { rows: found } = await client.query('SELECT 1 FROM activity.statement WHERE entries = $1', [rows])
    if (found.length > 0) return
    if (performance.now() > end) throw new Error('No statement was made')
    await delay(LOOK_EACH_MS)
  }
})

const headers = await tokenHeaders(server.address, 'bench-partner')
const path = `${server.address}/partner/v1/statements/${day}`

const read = async (query: string) => {
  const response = await fetch(path + query, { headers })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const hash = createHash('sha256')
  let [bytes, lines, firstMs] = [0, 0, 0]
  const start = performance.now()
  for await (const chunk of response.body!) {
    firstMs ||= performance.now() - start
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
    hash.update(chunk)
  }
  return { bytes, lines, firstMs, sha256: hash.digest('hex') }
}

const { sha256, entries } = (await (await fetch(path, { headers })).json()) as {
  sha256: string
  entries: number
}
if (entries !== rows) throw new Error(`${entries} entries`)

row([
  'statement of a day',
  'rows',
  'bytes',
  'seconds',
  'rows a second',
  'heap before',
  'most heap',
  'most resident',
])
row(Array(8).fill('---'))
const shown = (what: string, { most, ms }: { most: Most; ms: number }, bytes: string, before: string) =>
  row([
    what,
    rows.toLocaleString('en'),
    bytes,
    (ms / 1_000).toFixed(2),
    Math.round(rows / (ms / 1_000)).toLocaleString('en'),
    before,
    mebibytes(most.heap),
    mebibytes(most.rss),
  ])
shown('made, from the start of the server', made, '', '')
for (const [what, query] of [
  ['JSON', ''],
  ['CSV', '?format=csv'],
] as const) {
  const before = await server.memory()
  const { result, ...measured } = await watching(server, () => read(query))
  if (query && (result.lines !== rows + 1 || result.sha256 !== sha256))
    throw new Error('Not the bytes of its digest')
  shown(what, measured, mebibytes(result.bytes), mebibytes(before.heap))
}
