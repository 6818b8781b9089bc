/** The board of Grafana: a file that imports without a fault, and is readable by those on duty. */
import { describe, expect, it } from 'vitest'
import { alerts } from '#test/support/ops.ts'
import { board, type Panel, panels, queriesOf } from './board.ts'

/** Units of Grafana that the board uses. */
const UNITS = ['none', 's', 'reqps', 'ops', 'percentunit', 'bytes']

const cellsOf = ({ gridPos: { x, y, w, h } }: Panel) =>
  Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`)

describe('the board', () => {
  it('BOARD-01 MUST have what an import needs', () => {
    expect(board).toMatchObject({ uid: 'partner-graph', title: 'partner-graph' })
    expect(board).not.toHaveProperty('id')
    expect(board.schemaVersion).toBeGreaterThanOrEqual(39)
    expect(board.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ])
  })

  it('BOARD-02 MUST place every panel by itself within 24 columns', () => {
    const ids = board.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { title, gridPos } of board.panels)
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
    const cells = board.panels.flatMap(cellsOf)
    expect(new Set(cells).size).toBe(cells.length)
  })

  it.each(panels.map(panel => [panel.title, panel] as const))(
    'BOARD-03 MUST say of %s what it shows, in which unit, from the chosen source and processes',
    (_, panel) => {
      expect(panel.description).toMatch(/^[A-Z0-9a-z].*[.`]$/)
      expect(UNITS).toContain(panel.fieldConfig?.defaults.unit)
      const source = { type: 'prometheus', uid: `\${datasource}` }
      expect(panel.datasource).toEqual(source)
      expect(panel.targets!.length).toBeGreaterThan(0)
      for (const target of panel.targets!) expect(target).toMatchObject({ datasource: source })
      const refs = panel.targets!.map(({ refId }) => refId)
      expect(new Set(refs).size).toBe(refs.length)
      for (const query of queriesOf(panel))
        if (!query.includes('ALERTS')) expect(query).toContain('job=~"$job", instance=~"$instance"')
    },
  )

  it('BOARD-04 MUST name alerts that there are, and no other', () => {
    const named = panels.flatMap(({ description = '' }) =>
      [...description.matchAll(/Alerts?: ([\w, ]+)\./g)].flatMap(([, names]) => names!.split(', ')),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(name => !alerts.some(({ alert }) => alert === name))).toEqual([])
  })
})
