/** The board of Grafana, as its file has it. */
import { readText } from '#test/support/sources.ts'

export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly {
    readonly refId: string
    readonly expr: string
    readonly legendFormat: string
  }[]
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
}

interface Board {
  readonly uid: string
  readonly title: string
  readonly schemaVersion: number
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] }
}

export const board = JSON.parse(readText('ops/grafana/partner-graph.json')) as Board

/** Panels that show something: all but the rows between them. */
export const panels = board.panels.filter(({ type }) => type !== 'row')

/** Queries of a panel. */
export const queriesOf = ({ targets = [] }: Panel): string[] => targets.map(({ expr }) => expr)
