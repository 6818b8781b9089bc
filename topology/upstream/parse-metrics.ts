/** Metrics of another process, from the text that it serves (OpenMetrics 1.0, or Prometheus text 0.0.4). */
import type { Family, Sample } from '#core/observability/exposition.ts'

/** A line with a series: its name, labels, value, and the exemplar that may follow. */
const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{((?:[^"}]|"(?:[^"\\]|\\.)*")*)\})? (\S+)(?: # (.+))?$/

const sampleOf = (line: string): Sample | undefined => {
  const [, name, labels = '', value, exemplar] = SAMPLE.exec(line) ?? []
  return name === undefined ? undefined : { name, labels, value: value!, exemplar }
}

const TOTAL = '_total'

/** The family's name in Prometheus text, where a counter's ends in `_total`. */
const nameOf = (name: string, type: string): string =>
  type === 'counter' && !name.endsWith(TOTAL) ? `${name}${TOTAL}` : name

/** Counters whose families OpenMetrics leaves open, since their base names are others'. */
const typeOf = (name: string, type: string): string =>
  type === 'unknown' && name.endsWith(TOTAL) ? 'counter' : type

const plainHelp = (text: string) => text.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign))

/** Reads families; what is no line of a known form is left out. */
export function parseMetrics(text: string): Family[] {
  const families: (Omit<Family, 'samples'> & { samples: Sample[] })[] = []
  const helps = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, what, named, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (what === 'HELP') helps.set(named!, plainHelp(rest!))
    else if (what === 'TYPE') {
      const type = typeOf(named!, rest!)
      families.push({ name: nameOf(named!, type), type, help: helps.get(named!) ?? '', samples: [] })
    } else {
      const sample = sampleOf(line)
      if (sample) families.at(-1)?.samples.push(sample)
    }
  }
  return families
}
