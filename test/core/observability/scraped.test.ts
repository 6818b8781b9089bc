/** Gauges that are read at a scrape: a source that is away or slow is shown as such, and never waited for twice. */
import { Registry } from 'prom-client'
import { expect, it, vi } from 'vitest'
import { createReading, createScrapedGauges } from '#core/observability/scraped.ts'

const never = () => new Promise<never>(() => undefined)

it('SCRAPED-01 MUST ask once for all that scrape within the time that a reading is kept', async () => {
  const read = vi.fn(async () => 1)
  const reading = createReading(read, { keptMs: 60_000 })
  expect(await Promise.all([reading(), reading()])).toEqual([1, 1])
  expect(await reading()).toBe(1)
  expect(read).toHaveBeenCalledTimes(1)
})

it('SCRAPED-02 MUST wait for a reading that hangs once, and not start another beside it', async () => {
  const read = vi.fn(never)
  const reading = createReading(read, { limitMs: 20, keptMs: 0 })
  expect(await reading()).toBeUndefined()
  const began = performance.now()
  for (let scrape = 0; scrape < 100; scrape++) expect(await reading()).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(20 * 100)
  expect(read).toHaveBeenCalledTimes(1)
})

it('SCRAPED-03 MUST show what a late reading brings at the next scrape', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const reading = createReading(() => promise, { limitMs: 1, keptMs: 60_000 })
  expect(await reading()).toBeUndefined()
  resolve(7)
  await expect.poll(reading).toBe(7)
})

it('SCRAPED-04 MUST leave out the series of a reading that fails, and keep those of others', async () => {
  const registry = new Registry()
  const gauges = createScrapedGauges(
    registry,
    {
      lag: { name: 'lag_seconds', help: 'Lag', labelNames: ['kind'], join: 'max' },
      rows: { name: 'rows', help: 'Rows' },
    },
    { keptMs: 0 },
  )
  let isAway = false
  gauges.watch('a', async () => {
    if (isAway) throw new Error('the database is away')
    return [
      { gauge: 'lag', labels: { kind: 'A' }, value: 3 },
      { gauge: 'rows', value: 1 },
    ]
  })
  gauges.watch('b', async () => [
    { gauge: 'lag', labels: { kind: 'A' }, value: 5 },
    { gauge: 'lag', labels: { kind: 'B' }, value: 2 },
    { gauge: 'rows', value: 1 },
  ])
  const lines = async () => (await registry.metrics()).split('\n').filter(line => /^(lag|rows)/.test(line))
  expect(await lines()).toEqual(['lag_seconds{kind="A"} 5', 'lag_seconds{kind="B"} 2', 'rows 2'])
  isAway = true
  expect(await lines()).toEqual(['lag_seconds{kind="A"} 5', 'lag_seconds{kind="B"} 2', 'rows 1'])
  gauges.watch('a', async () => [{ gauge: 'rows', value: 10 }])
  expect(await lines()).toContain('rows 11')
})
