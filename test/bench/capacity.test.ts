/** Processors, disks and money by volume: the tables of the docs are what is calculated, and the calculation holds together. */
import { expect, it } from 'vitest'
import { ASSUMED, capacityText, KEPT, needsOf, PARTS, schemaTb } from '../../bench/lib/capacity.ts'
import { readText } from '../support/sources.ts'

it('docs/scaling.md has the tables that the calculation gives', () => {
  const [, open = '', close = ''] = KEPT.exec(readText('docs/scaling.md')) ?? []
  expect(open).not.toBe('')
  expect(readText('docs/scaling.md')).toContain(`${open}${capacityText()}\n${close}`)
})

it('ten times the transactions take ten times the disk, and no fewer nodes, processors or euro', () => {
  const all = [1e5, 1e6, 1e7, 1e8].map(perDay => needsOf(perDay))
  for (const [index, more] of all.entries()) {
    const less = all[index - 1]
    if (!less) continue
    expect(more.dataTb / less.dataTb).toBeCloseTo(10, 6)
    expect(more.nodes).toBeGreaterThanOrEqual(less.nodes)
    expect(more.postgresVcpus).toBeGreaterThanOrEqual(less.postgresVcpus)
    expect(more.euro).toBeGreaterThan(less.euro)
  }
})

it('a schema is said to outgrow a node from the size on at which it does', () => {
  const events = PARTS.find(({ schema }) => schema === 'events')!
  const atMost = (ASSUMED.nodeTb / (schemaTb(events, 1, ASSUMED) * ASSUMED.room)) * 0.999
  expect(needsOf(atMost).tooLarge).not.toContain('events')
  expect(needsOf(atMost * 1.002).tooLarge).toContain('events')
})

it('events that are kept for a month take a part of the disk of two years', () => {
  const short = needsOf(1e7, { ...ASSUMED, eventDays: 30 })
  const saved = needsOf(1e7).dataTb - short.dataTb
  expect(saved).toBeCloseTo((1e7 * 934 * 700) / 1e12, 6)
})
