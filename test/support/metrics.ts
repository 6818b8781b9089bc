/** Reading of metrics as a scraper reads them. */
import { vi } from 'vitest'
import { writeMetrics } from '#core/observability/exposition.ts'
import { createMetrics, type Metrics } from '#core/observability/metrics.ts'

/** The value of a series, named as in the text (`subscribers{transport="sse"}`); undefined where there is none. */
export const valueIn = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find(one => one.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1).split(' ')[0])
}

/** The value of a series of a process. */
export const seriesValue = async (metrics: Pick<Metrics, 'families'>, series: string) =>
  valueIn(writeMetrics(await metrics.families(), 'text'), series)

/** The text of `/metrics` of a server, with other headers where they are given. */
export const readMetricsAt = async (address: string, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(`${address}/metrics`, { headers })).text()

/** Resolves when a server's event feed is followed by a subscription: what happens before is none of its events. */
export const untilFollowed = (address: string): Promise<number> =>
  vi.waitUntil(async () => valueIn(await readMetricsAt(address), 'event_feed_subscribers'), {
    timeout: 10_000,
  })

/** Names of all metrics in a text, those of histograms as they are queried. */
export const namesIn = (text: string): Set<string> =>
  new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map(suffix => name! + suffix) : [name!],
    ),
  )

/** Metrics of a process that does nothing. */
export const unwatched = (): Metrics =>
  createMetrics({
    feed: { subscribers: 0 },
    outbound: { off: () => undefined },
    watchdog: { states: () => [] },
    database: { ask: async () => undefined },
  })
