/**
 * Unusual rows never spoil the timeline: huge old texts are cut, values that the database refuses are left out
 * alone, and a kind that one server does not know is left to the others.
 */
import { describe, expect, it } from 'vitest'
import type { App } from '#core/context/app.ts'
import { tableOf } from '#core/transactions/kind.ts'
import { openCheckpoints, projectAll, rebuild } from '#subgraphs/activity/projection/project.ts'
import { openTestApp } from '../../support/stack.ts'
import { ALL_KINDS, createRandom, fillDirectory, outcomeOf, post, settle, type Written } from './history.ts'

const COUNT = 60

/** Nothing that compresses, and more words than an index of words can hold. */
const hugeText = (random: () => number) =>
  Array.from({ length: 100_000 }, () => random().toString(36).slice(2, 10).padEnd(8, 'z')).join(' ')

const times = Array.from({ length: COUNT }, (_, index) => new Date(Date.parse('2026-10-01') + index * 60_000))

const open = async (logLines: string[] = []) => {
  const opened = await openTestApp({ env: { DEMO: '0', LOG_LEVEL: 'error' }, logLines })
  await fillDirectory(opened.app)
  await openCheckpoints({ ...opened.app, kinds: ALL_KINDS })
  return { opened, rows: await post(opened.app, createRandom(7), times) }
}

const setHuge = async ({ db }: App, { id, kind }: Written) => {
  const text = hugeText(createRandom(Number(id.charCodeAt(20))))
  const body = JSON.stringify({ rechargeInfo: { description: text, rechargeMetaData: { channel: text } } })
  await db.$executeRaw`
    UPDATE ${tableOf(kind)} SET reference_code = ${text}, body = ${body}::jsonb WHERE id = ${id}::uuid`
}

const entries = ({ db }: App) => db.timelineEntry.count()
const counted = async ({ db }: App) =>
  (await db.totalDay.findMany()).reduce((sum, row) => sum + Number(row.entries), 0)

describe('a row that was written before texts had a maximum', () => {
  it('UNFIT-01 is followed with the start of its reference, and so are all after it', async () => {
    const { opened, rows } = await open()
    await using _ = opened
    const { app } = opened
    const huge = rows.filter(({ kind }) => kind.name === 'RECHARGE').slice(0, 2)
    for (const row of huge) await setHuge(app, row)
    await projectAll({ ...app, kinds: ALL_KINDS })
    expect([await entries(app), await counted(app)]).toEqual([COUNT, COUNT])
    expect(await rebuild({ ...app, kinds: ALL_KINDS })).toBe(COUNT)
    const [longest] = await app.db.$queryRaw<{ n: number }[]>`
      SELECT max(length(text) + length(channel) + length(words::text)) AS n FROM activity.entry`
    expect(longest!.n).toBeLessThan(3_000)
  })
})

describe('a row that the database refuses', () => {
  const forbid = ({ db }: App, condition: string) =>
    db.$executeRawUnsafe(`ALTER TABLE activity.entry ADD CONSTRAINT refused CHECK (${condition})`)

  it('UNFIT-02 is followed without its texts when those are what is refused', async () => {
    const { opened, rows } = await open()
    await using _ = opened
    const { app } = opened
    const [refused] = rows.filter(({ text }) => text !== '').slice(9)
    await forbid(app, `id <> '${refused!.id}' OR text = ''`)
    await projectAll({ ...app, kinds: ALL_KINDS })
    expect([await entries(app), await counted(app)]).toEqual([COUNT, COUNT])
    const without = await app.db.timelineEntry.findMany({ where: { text: '' }, select: { id: true } })
    expect(without).toEqual([{ id: refused!.id }])
    expect(await rebuild({ ...app, kinds: ALL_KINDS })).toBe(COUNT)
  })

  it('UNFIT-03 is passed over, and named in the log, when nothing of it can be kept', async () => {
    const logLines: string[] = []
    const { opened, rows } = await open(logLines)
    await using _ = opened
    const { app } = opened
    const { id, position } = rows[30]!
    await forbid(app, `id <> '${id}'`)
    await projectAll({ ...app, kinds: ALL_KINDS })
    expect([await entries(app), await counted(app)]).toEqual([COUNT - 1, COUNT - 1])
    expect(await app.db.timelineEntry.findMany({ where: { id } })).toEqual([])
    expect(logLines.join()).toContain(`"position":"${position}"`)
  })
})

describe('a kind that a server does not know, because it is older than the service', () => {
  it('UNFIT-04 is left to the servers that know it, its events too', async () => {
    const { opened, rows } = await open()
    await using _ = opened
    const { app } = opened
    await projectAll({ ...app, kinds: ALL_KINDS })
    const later = await post(app, createRandom(8), times)
    await settle(app, createRandom(9), rows)
    await projectAll({ ...app, kinds: ALL_KINDS.filter(({ name }) => name !== 'REWARD') })
    await projectAll({ ...app, kinds: ALL_KINDS })
    const entries = await app.db.timelineEntry.findMany()
    const outcomes = new Map(entries.map(({ id, outcome }) => [id, outcome]))
    expect([...rows, ...later].map(({ id }) => outcomes.get(id))).toEqual([...rows, ...later].map(outcomeOf))
  })
})
