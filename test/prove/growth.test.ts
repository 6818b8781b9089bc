/** The judgement of a soak: what may grow with what was posted, and what may not grow at all. */
import { expect, it } from 'vitest'
import { judgeGrowth, type Sample } from '#prove/load/growth.ts'

const MIB = 1024 * 1024

/** A sample of a server that keeps what it is given, and nothing else. */
const sampleAt = (minute: number): Sample => ({
  minute,
  requests: minute * 10_000,
  payments: minute * 3_000,
  heap: (90 + (minute % 3)) * MIB,
  external: 20 * MIB,
  resident: 280 * MIB,
  descriptors: 35 + (minute % 2),
  resources: 22,
  rows: { 'postpaid.payment': 100 + minute * 3_000, 'events.event': minute * 6_000, 'access.client': 16 },
})

const soakOf = (change: (minute: number) => Partial<Sample> = () => ({})): Sample[] =>
  Array.from({ length: 13 }, (_, minute) => ({ ...sampleAt(minute), ...change(minute) }))

const broken = (samples: readonly Sample[]): string[] =>
  judgeGrowth(samples)
    .filter(({ holds }) => !holds)
    .map(({ what }) => what)

it('PROVE-SOAK-01 MUST find nothing where a server keeps what it was given', () => {
  expect(broken(soakOf())).toEqual([])
})

it.each([
  ['heap in the first and the last third', (minute: number) => ({ heap: (90 + 2 * minute) * MIB })],
  ['outside of the heap', (minute: number) => ({ external: (20 + 2 * minute) * MIB })],
  ['resident memory', (minute: number) => ({ resident: (280 + 10 * minute) * MIB })],
  ['open files and sockets', (minute: number) => ({ descriptors: 35 + 2 * minute })],
  ['resources of the event loop', (minute: number) => ({ resources: 22 + 2 * minute })],
])('PROVE-SOAK-02 MUST find what grows: %s', (what, change) => {
  expect(broken(soakOf(change))).toEqual([what])
})

it('PROVE-SOAK-03 MUST find one payment that is missing, and one too many', () => {
  for (const more of [-1, 1]) {
    const samples = soakOf(minute => (minute < 12 ? {} : { rows: rowsWith(minute, more) }))
    expect(broken(samples)).toEqual(['payments that were acknowledged, and that are there'])
  }
})

const rowsWith = (minute: number, more: number) => {
  const { rows } = sampleAt(minute)
  return { ...rows, 'postpaid.payment': rows['postpaid.payment']! + more }
}

it('PROVE-SOAK-04 MUST name a table that grows faster for each request, and none that grows with them', () => {
  const grown = soakOf(minute => ({
    rows: { ...sampleAt(minute).rows, 'webhooks.delivery': minute ** 2 * 100 },
  }))
  expect(judgeGrowth(grown).find(({ holds }) => !holds)?.seen).toBe('webhooks.delivery')
})

it('PROVE-SOAK-05 MUST judge nothing by three samples', () => {
  expect(() => judgeGrowth(soakOf().slice(0, 3))).toThrow('at least four samples')
})
