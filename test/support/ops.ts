/** Files of `ops/` for those who watch over an installation: rules of Prometheus, and the board of Grafana. */
import { parse } from 'yaml'
import { readText } from './sources.ts'

export interface Rule {
  readonly expr: string
  readonly for?: string
  readonly record?: string
  readonly alert?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export const RULES_FILE = 'ops/prometheus/rules.yml'

export const rules: readonly Rule[] = (
  parse(readText(RULES_FILE)) as { groups: { rules: Rule[] }[] }
).groups.flatMap(group => group.rules)

/** Names of metrics that rules record. */
export const recorded = rules.flatMap(({ record }) => record ?? [])

export const alerts = rules.filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined)
