/**
 * `npm run capacity`: processors, disks and money for so many transactions a day, by what one is measured to cost and by the
 * numbers that the reader gives: `npm run capacity -- --per-day 5000000 --vcpu-euro 40`. `--write` keeps the tables of
 * docs/scaling.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ASSUMED, type Assumptions, capacityTable, capacityText, KEPT } from './lib/capacity.ts'

const PAGE = join(import.meta.dirname, '../docs/scaling.md')

/** `peakShare` as it is written among arguments. */
const argumentOf = (name: string) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
const names = Object.keys(ASSUMED) as (keyof Assumptions)[]

const { values } = parseArgs({
  options: {
    'per-day': { type: 'string', multiple: true },
    write: { type: 'boolean' },
    ...Object.fromEntries(names.map(name => [argumentOf(name), { type: 'string' as const }])),
  },
})
const given = values as Record<string, string | undefined>

/** @throws Error for a value that is no number above zero. */
const numberOf = (name: string, text: string): number => {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`)
  return value
}

if (values.write) {
  const page = readFileSync(PAGE, 'utf8')
  writeFileSync(
    PAGE,
    page.replace(KEPT, (_, open, close) => `${open}${capacityText()}\n${close}`),
  )
} else {
  const own = names.flatMap(name => {
    const text = given[argumentOf(name)]
    return text === undefined ? [] : [[name, numberOf(argumentOf(name), text)] as const]
  })
  const assumed: Assumptions = { ...ASSUMED, ...Object.fromEntries(own) }
  const perDay = (values['per-day'] as string[] | undefined)?.map(text => numberOf('per-day', text))
  console.log(capacityTable(perDay ?? [1e6, 1e7, 1e8], assumed))
  console.log(`\n${names.map(name => `--${argumentOf(name)} ${assumed[name]}`).join(' ')}`)
}
