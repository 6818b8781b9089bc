/** Queries of Prometheus, parsed by Prometheus's own grammar. */
import { parser } from '@prometheus-io/lezer-promql'

/** Grafana's own variables in a query, which stand where a duration is. */
const VARIABLE = /\$__\w+/g

export interface ParsedQuery {
  /** Names of the metrics that it selects. */
  readonly metrics: readonly string[]
  /** Places where it cannot be parsed. */
  readonly faults: readonly string[]
}

/** Parses a query; Grafana's variables are durations. */
export const parseQuery = (query: string): ParsedQuery => {
  const text = query.replace(VARIABLE, '5m')
  const metrics: string[] = []
  const faults: string[] = []
  parser.parse(text).iterate({
    enter({ name, from, to, type, node }) {
      if (type.isError) faults.push(`at ${from}: ${text}`)
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text.slice(from, to))
    },
  })
  return { metrics, faults }
}
