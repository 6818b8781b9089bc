/** `charging compare`: our orders and the charging system's book, and where they differ. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Comparison, Difference } from '#connectors/http/orders/compare.ts'
import type { ChargingSettings } from '#core/config/charging.ts'
import { loadBookComparison } from '#core/connectors.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import type { TransactionKind } from '#core/transactions/kind.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { withDatabase } from './open.ts'
import { print, printResult, table } from './output.ts'

interface Options {
  readonly limit: number
  readonly json?: boolean
}

/** Result for the book of one system. */
interface Compared extends Comparison {
  readonly system: string
}

const DETAILS = `
It reads the book of the charging system of CHARGING_URL (GET /orders, listOrders of schema/charging.openapi.yaml) and
changes nothing, here or there. Orders under way have no outcome yet: they are counted as open, and their outcome is not
compared. What is posted meanwhile is left to the next time. The exit code is 0 where the books agree and 1 where they do
not, or could not be compared.`

const MOST_SHOWN = 100_000

const readLimit = (text: string): number => {
  if (/^\d{1,6}$/.test(text) && Number(text) <= MOST_SHOWN) return Number(text)
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MOST_SHOWN}.`)
}

/** The kinds of each system, by its address: services at one address have one book. */
const kindsByUrl = ({ urls, url: others }: ChargingSettings, kinds: readonly TransactionKind[]) => {
  const charged = kinds.filter(({ charge }) => charge.moves)
  const placed = charged.flatMap(kind => {
    const url = urls.get(kind.service) ?? others
    return url === undefined ? [] : [{ url, name: kind.name }]
  })
  return Map.groupBy(placed, ({ url }) => url)
}

const HEADINGS = ['TRANSACTION', 'WHAT', 'HERE', 'THERE']

const row = (one: Difference) => {
  if ('order' in one)
    return one.what === 'missing-there'
      ? [one.transactionId, 'missing there', one.order, '-']
      : [one.transactionId, 'only there', '-', one.order]
  return [one.transactionId, one.what, one.here, one.there]
}

const countsText = ({ system, compared, open, missingThere, onlyThere, different }: Compared) =>
  `${system}: ${compared} compared, ${open} open, ${missingThere} missing there, ${onlyThere} only there, ${different} different`

const isWrong = ({ missingThere, onlyThere, different }: Comparison) =>
  missingThere + onlyThere + different > 0

const compareAll = (limit: number) =>
  withDatabase(async ({ db }, { charging }) => {
    if (!charging)
      throw new SetupError(
        'there is no charging system to compare with: set CHARGING=http, CHARGING_URL and CHARGING_TOKEN as the server has them',
      )
    const { ChargingBook, compareBooks } = await loadBookComparison()
    const kinds = await loadKinds()
    const differences: Difference[] = []
    const systems: Compared[] = []
    for (const [url, placed] of kindsByUrl(charging, kinds)) {
      const book = new ChargingBook({ ...charging, url })
      const onDifference = (one: Difference) => {
        if (differences.length < limit) differences.push(one)
      }
      const charged = new Set(placed.map(({ name }) => name))
      try {
        systems.push({
          system: book.host,
          ...(await compareBooks({ db, kinds, charged, book, onDifference })),
        })
      } finally {
        await book.close()
      }
    }
    return { systems, differences }
  })

const compare = async ({ limit, json }: Options): Promise<void> => {
  const { systems, differences } = await compareAll(limit)
  const agrees = !systems.some(isWrong)
  printResult(json, { agrees, systems, differences }, () => systems.map(countsText).join('\n'))
  if (!json && differences.length > 0) print(table(HEADINGS, differences.map(row)))
  if (!agrees) throw new SetupError('the books differ')
}

/** Adds the group to the program. */
export function addChargingCommands(program: Command): void {
  program
    .command('charging')
    .description('an outside charging system')
    .command('compare')
    .description('find what its book and ours say otherwise')
    .addHelpText('after', DETAILS)
    .option(
      '--limit <n>',
      `how many differences are shown, at most ${MOST_SHOWN}; all are counted`,
      readLimit,
      1_000,
    )
    .option('--json', 'print one line of JSON')
    .action(compare)
}
