/** Bars over periods, a part for each series; the same as a list of buttons for the keyboard and screen readers. */
import { useTranslation } from '../i18n/i18n.tsx'

export interface Series {
  readonly key: string
  readonly name: string
  /** A colour of the design tokens, e.g. `var(--series-1)`. */
  readonly colour: string
  /** A value for each period. */
  readonly values: readonly number[]
}

export interface ChartPeriod {
  readonly key: string
  /** Below the bar; empty where there is no room for each. */
  readonly short: string
  readonly long: string
}

interface BarsProps {
  readonly label: string
  readonly periods: readonly ChartPeriod[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly onChoose?: (index: number) => void
  /** The period that is chosen. */
  readonly chosen?: number | undefined
}

/** Colours for series, by their places. */
export const seriesColour = (index: number): string => `var(--series-${(index % 8) + 1})`
/** The colour of all that is not shown by itself. */
export const REST_COLOUR = 'var(--series-rest)'

/** The next value that is easy to read. */
export const niceTop = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 1.5, 2, 3, 4, 5, 8, 10].map(step => step * power).find(step => step >= value) ?? value
}

const sumAt = (series: readonly Series[], index: number) =>
  series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)

export function StackedBars({ label, periods, series, format, onChoose, chosen }: BarsProps) {
  const top = niceTop(Math.max(0, ...periods.map((_, index) => sumAt(series, index))))
  const describe = (index: number) => {
    const parts = series
      .filter(({ values }) => (values[index] ?? 0) > 0)
      .map(({ name, values }) => `${name} ${format(values[index]!)}`)
    return `${periods[index]!.long}: ${format(sumAt(series, index))}${parts.length > 1 ? ` (${parts.join(', ')})` : ''}`
  }
  return (
    <div className="chart">
      <span className="chart-top number" aria-hidden="true">
        {format(top)}
      </span>
      <ol aria-label={label} className="chart-bars">
        {periods.map(({ key, short }, index) => (
          <li key={key} className={index === chosen ? 'chart-bar chart-chosen' : 'chart-bar'}>
            <button
              type="button"
              title={describe(index)}
              aria-pressed={onChoose ? index === chosen : undefined}
              disabled={!onChoose}
              onClick={() => onChoose?.(index)}
            >
              <span className="chart-stack">
                {series.map(({ key: name, colour, values }) => (
                  <span
                    key={name}
                    className="chart-part"
                    style={{ blockSize: `${(100 * (values[index] ?? 0)) / top}%`, background: colour }}
                  />
                ))}
              </span>
              <span className="visually-hidden">{describe(index)}</span>
              <span className="chart-name" aria-hidden="true">
                {short}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Lines over periods, for values that cannot be added up, such as rates. */
export function Lines({ label, periods, series, format }: Omit<BarsProps, 'onChoose' | 'chosen'>) {
  const top = niceTop(Math.max(0, ...series.flatMap(({ values }) => values)))
  const x = (index: number) => (100 * (index + 0.5)) / periods.length
  const points = (values: readonly number[]) =>
    values.map((value, index) => `${x(index)},${100 - (100 * value) / top}`).join(' ')
  return (
    <div className="chart">
      <span className="chart-top number" aria-hidden="true">
        {format(top)}
      </span>
      <svg
        className="chart-lines"
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {series.map(({ key, colour, values }) => (
          <polyline key={key} points={points(values)} style={{ stroke: colour }} />
        ))}
      </svg>
      <ol className="chart-bars chart-axis" aria-hidden="true">
        {periods.map(({ key, short }) => (
          <li key={key} className="chart-name">
            {short}
          </li>
        ))}
      </ol>
    </div>
  )
}

interface LegendProps {
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** Whether the values of a series can be added up. */
  readonly hasSums?: boolean
}

/** The names of the series with their colours and sums. */
export function Legend({ series, format, hasSums = true }: LegendProps) {
  const { m } = useTranslation()
  return (
    <ul className="chart-legend" aria-label={m.support.legend}>
      {series.map(({ key, name, colour, values }) => (
        <li key={key}>
          <span className="chart-key" style={{ background: colour }} aria-hidden="true" />
          <bdi>{name}</bdi>
          {hasSums && (
            <span className="muted number">{format(values.reduce((sum, one) => sum + one, 0))}</span>
          )}
        </li>
      ))}
    </ul>
  )
}
