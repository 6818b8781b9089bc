/** `npm run prove:load`: offers ten times what the program can serve, and says whether it bears it. */
import { Command } from 'commander'
import { aboveZero } from '../flags.ts'
import { markdown, today, writeTable } from '../table.ts'
import type { Bound } from './growth.ts'
import { type Durations, measureOverload, type OverloadFigures } from './overload.ts'
import { startLoaded } from './server.ts'

const CI: Durations = { servable: 4, fairness: 6, overload: 20 }

const MIB = 1024 * 1024
const ms = (value: number): string => `${Math.round(value)} ms`
const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`

/** Latencies below this are noise of a machine that the load shares. */
const NOISE_MS = 100
const AT_ONCE_MS = 250
const MORE_MEMORY = 1.15

const boundsOf = (figures: OverloadFigures): Bound[] => {
  const politeMs = Math.max(NOISE_MS, 2 * figures.politeP99)
  return [
    {
      what: 'accepted requests, p99',
      seen: ms(figures.acceptedP99),
      allowed: 'below 2000 ms',
      holds: figures.acceptedP99 < 2_000,
    },
    {
      what: 'refusals, p50 and p99',
      seen: `${ms(figures.refusedP50)}, ${ms(figures.refusedP99)}`,
      allowed: `below ${AT_ONCE_MS} ms`,
      holds: figures.refusedP99 < AT_ONCE_MS,
    },
    {
      what: 'refusals without `Retry-After`, and answers that are neither',
      seen: `${figures.withoutRetryAfter}, ${JSON.stringify(figures.others)}`,
      allowed: 'none',
      holds: figures.withoutRetryAfter === 0 && Object.keys(figures.others).length === 0,
    },
    {
      what: 'p99 of a polite partner beside ordinary load, and beside one that floods',
      seen: `${ms(figures.politeP99)}, ${ms(figures.politeFloodedP99)}; ${figures.politeRefused} refused`,
      allowed: `${ms(politeMs)}, none refused`,
      holds: figures.politeFloodedP99 <= politeMs && figures.politeRefused === 0,
    },
    {
      what: 'resident memory in the first and the last third',
      seen: `${mib(figures.residentEarly)}, ${mib(figures.residentLate)}`,
      allowed: '15 % more',
      holds: figures.residentLate <= figures.residentEarly * MORE_MEMORY,
    },
    {
      what: 'until answers come as before',
      seen: ms(figures.recoveryMs),
      allowed: 'within 5000 ms',
      holds: figures.recoveryMs <= 5_000,
    },
  ]
}

const headline = ({ kinds, processors, ...figures }: OverloadFigures): string => {
  const { seconds, servable, usualP99, offered, unsent, accepted, refused } = figures
  const byKind = Object.entries(kinds).map(([kind, [p50, p99]]) => `${kind} ${ms(p50)}, ${ms(p99)}`)
  return [
    `${today()}, Node ${process.version}, ${Math.round(seconds)} s.`,
    `Servable: ${Math.round(servable)} requests a second, p99 ${ms(usualP99)}.`,
    `Offered: ${Math.round(offered)} a second, and ${Math.round(unsent)} more found no free connection;`,
    `${Math.round(accepted)} a second accepted, ${Math.round(refused)} refused, by ${processors.toFixed(2)} of a processor.`,
    `p50 and p99 of what was accepted: ${byKind.join('; ')}.`,
  ].join(' ')
}

const run = async ({ minutes, ci, write }: { minutes: number; ci?: true; write?: true }): Promise<void> => {
  // The rows of five minutes do not fit on a small disk in memory.
  await using server = await startLoaded({ onDisk: !ci })
  const figures = await measureOverload(
    server,
    ci ? CI : { servable: 10, fairness: 20, overload: minutes * 60 },
  )
  const bounds = boundsOf(figures)
  const table = markdown(
    ['what', 'seen', 'allowed', 'holds'],
    bounds.map(({ what, seen, allowed, holds }) => [what, seen, allowed, holds ? 'yes' : '**no**']),
  )
  console.log(`${headline(figures)}\n\n${table}`)
  if (write) writeTable('load', `${headline(figures)}\n\n${table}`)
  const code = await server.stop()
  if (code !== 0) console.log(`The server ended with ${code}:\n${server.tail()}`)
  process.exitCode = code === 0 && bounds.every(({ holds }) => holds) ? 0 : 1
}

await new Command('npm run prove:load --')
  .description('Offers ten times the load that the program can serve, and says whether it bears it.')
  .option('--minutes <n>', 'how long', aboveZero, 5)
  .option('--ci', 'instead, twenty seconds')
  .option('--write', 'write the table of docs/reliability.md')
  .action(run)
  .parseAsync()
