/** The board over the views of `analytics`: each of its queries as Grafana sends it, answered by a database. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Prisma } from '#core/data/db.ts'
import { readText } from '#test/support/sources.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

interface Panel {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets: readonly { readonly rawSql: string }[]
}

const board = JSON.parse(readText('ops/grafana/partner-graph-analytics.json')) as {
  readonly uid: string
  readonly panels: readonly Panel[]
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[]
  }
}

/** A query with the values that Grafana puts in the place of its macros and variables. */
const filledIn = (sql: string) =>
  sql
    .replaceAll(/\$__timeFilter\(([^)]+)\)/g, "$1 BETWEEN '2000-01-01' AND '2100-01-01'")
    .replaceAll('$__timeFrom()', "'2000-01-01'::timestamptz")
    .replaceAll('$__timeTo()', "'2100-01-01'::timestamptz")
    .replaceAll(/\$\{partner:sqlstring\}/g, "'demo-kiosks', 'demo-partner'")

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  await stack.settled()
  await stack.app.db.$executeRaw`INSERT INTO analytics.reader (role_name) VALUES (current_user)`
})
afterAll(() => stack[Symbol.asyncDispose]())

const ask = (sql: string) => stack.app.db.$queryRaw<object[]>`${Prisma.raw(filledIn(sql))}`

it.each(board.panels.map(panel => [panel.title, panel] as const))(
  'BOARD-ANALYTICS-01 MUST answer each panel by versioned views alone: %s',
  async (_, { description, targets }) => {
    expect(description).toMatch(/\.$/)
    for (const { rawSql } of targets) {
      const read = [...rawSql.matchAll(/FROM (\S+)/g)].map(([, name]) => name)
      expect(read.filter(name => !/^analytics\.\w+_v1$/.test(name!))).toEqual([])
      expect(filledIn(rawSql)).not.toContain('$')
      expect((await ask(rawSql)).length).toBeGreaterThan(0)
    }
  },
)

it('BOARD-ANALYTICS-02 MUST offer the partners, and have no panels on top of each other', async () => {
  const partner = board.templating.list.find(({ name }) => name === 'partner')!
  expect(await ask(partner.query)).toEqual([{ partner: 'demo-kiosks' }])
  const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
  expect(Math.max(...board.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
})
