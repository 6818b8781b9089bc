/** The load generator, alone in its process: one job by message, its result by message. */
import autocannon, { type Request } from 'autocannon'

export interface LoadJob {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly Request[]
  /** Requests per second over all connections; as fast as possible when absent. */
  readonly rate?: number
}

export interface LoadResult {
  /** Requests that were answered with success or 304, and in which time. */
  readonly answered: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
  /** How often each status came. */
  readonly statuses: Readonly<Record<string, { readonly count?: number }>>
}

/** Starts each connection at another place of the list, so that they do not all send the same at the same time. */
const spread = (requests: readonly Request[]) => {
  let start = 0
  const step = Math.max(1, Math.floor(requests.length / 64))
  return (client: { setRequests(requests: Request[]): void }) => {
    start = (start + step) % requests.length
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)].map(one => ({ ...one })))
  }
}

const run = async ({ url, connections, seconds, requests, rate }: LoadJob): Promise<LoadResult> => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    overallRate: rate,
    requests: [...requests],
    idReplacement: requests[0]!.body?.includes('[<id>]') ?? false,
    setupClient: spread(requests),
  })
  const statuses: LoadResult['statuses'] = result.statusCodeStats ?? {}
  const unchanged = statuses['304']?.count ?? 0
  const answered = result['2xx'] + unchanged
  return {
    answered,
    seconds: result.duration,
    perSecond: answered / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.timeouts + result.non2xx - unchanged,
    statuses,
  }
}

process.once('message', async job => {
  process.send!(await run(job as LoadJob))
  process.disconnect()
})
