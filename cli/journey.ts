/** `journey <correlator|id>`: everything that became of a request or a transaction, step by step. */
import type { Command } from 'commander'
import { notFound } from '#core/errors/catalogue.ts'
import { isId } from '#core/values/id.ts'
import {
  EVERYTHING,
  type JourneyStart,
  type JourneyView,
  readJourney,
} from '#subgraphs/activity/journey/journey.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { withDatabase } from './open.ts'
import { print, printResult, table } from './output.ts'

const DETAILS = `
It is the journey of the graph (journey), for an administrator: with all that the graph shows portals. An id is looked for as
a transaction's first, then as a correlator. Requests stand in it a second or two after their end.`

/** An `x-correlator` that the server made has the form of an id too. */
const startsOf = (text: string): JourneyStart[] =>
  isId(text) ? [{ transactionId: text }, { correlator: text }] : [{ correlator: text }]

const find = (text: string): Promise<JourneyView | undefined> =>
  withDatabase(async ({ db }) => {
    const kinds = await loadKinds()
    for (const start of startsOf(text)) {
      const found = await readJourney(db, kinds, start, EVERYTHING)
      if (found) return found
    }
    return undefined
  })

/** JSON has no form for the numbers of rows, which say nothing to a reader. */
const withoutNumbers = (rows: readonly object[]) =>
  rows.map(row => Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== 'bigint')))

const toJson = ({ events, deliveries, transactions: found, ...journey }: JourneyView) => {
  const transactions = found.map(({ id, kind }) => ({ id, kind }))
  return {
    ...journey,
    transactions,
    transaction: transactions[0] ?? null,
    events: withoutNumbers(events),
    deliveries: withoutNumbers(deliveries),
  }
}

const LAST_OF_ID = 6

const msText = (ms: number | null): string => (ms === null ? '' : `${ms} ms`)

/** The steps as a table; where they are of several transactions each begins with the end of its id. */
const stepsText = ({ steps, transactions }: JourneyView): string => {
  const isOfMany = transactions.length > 1
  const rows = steps.map(({ at, kind, text, durationMs, sincePreviousMs, transactionId }) => [
    at.toISOString(),
    sincePreviousMs === null ? '' : `+${msText(sincePreviousMs)}`,
    ...(isOfMany ? [transactionId?.slice(-LAST_OF_ID) ?? ''] : []),
    kind,
    msText(durationMs),
    text,
  ])
  return table(['AT', 'AFTER', ...(isOfMany ? ['OF'] : []), 'STEP', 'TOOK', 'TEXT'], rows)
}

const describe = (journey: JourneyView): string => {
  const named = journey.transactions.map(({ kind, id }) => `${kind} ${id}`)
  return [...named, stepsText(journey)].join('\n')
}

const show = async (text: string, { json }: { json?: boolean }) => {
  const journey = await find(text)
  if (!journey) throw notFound(`Request or transaction ${text}`)
  printResult(json, toJson(journey), () => describe(journey))
  if (!json && journey.hasMore) print('older ones with this correlator are left out')
}

/** Adds the command to the program. */
export function addJourneyCommand(program: Command): void {
  program
    .command('journey <correlator|id>')
    .description('everything that became of a request or a transaction, step by step')
    .addHelpText('after', DETAILS)
    .option('--json', 'print one line of JSON')
    .action(show)
}
