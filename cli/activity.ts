/** `activity rebuild`: the timeline and its sums, made again from the services' tables. */
import type { Command } from 'commander'
import { rebuild } from '#subgraphs/activity/projection/rebuild.ts'
import { loadKinds } from '#subgraphs/load.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

const DETAILS = `
Nothing is lost by it: the timeline holds nothing that the services' tables do not say. It is needed after a change of
OPERATOR_TIMEZONE, whose days the sums are kept by. Servers on PostgreSQL may run meanwhile; they show what is there already.`

const rebuildCommand = async ({ json }: { json?: boolean }) => {
  const kinds = await loadKinds()
  const entries = await withDatabase(({ prisma: db, reader, writer }, config) =>
    rebuild({ db, reader, writer, config, kinds }),
  )
  printResult(json, { entries }, () => `rebuilt the timeline: ${entries} entries`)
}

/** Adds the group to the program. */
export function addActivityCommands(program: Command): void {
  program
    .command('activity')
    .description('the timeline over all services, and its sums')
    .command('rebuild')
    .description("make them again from the services' tables")
    .addHelpText('after', DETAILS)
    .option('--json', 'print one line of JSON')
    .action(rebuildCommand)
}
