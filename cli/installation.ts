/** Commands `installation show` and `installation confirm`: the place that a database belongs to. */
import type { Command } from 'commander'
import { administrator, recordAct } from '#core/audit/acts.ts'
import type { Transaction } from '#core/data/db.ts'
import { CONFIRM, confirmInstallation, type Installation, readInstallation } from '#core/data/outbound.ts'
import { withDatabase } from './open.ts'
import { printResult } from './output.ts'

const DETAILS = `
Servers on a database that was restored or copied to another place send nothing from there, so that waiting webhooks do not
reach real receivers a second time. Confirm the new place once the servers of the old one send no more; servers on PostgreSQL
that are running begin to send within seconds. For a drill leave it unconfirmed, or start with OUTBOUND=0.`

const describe = (found: Installation | undefined): string => {
  if (!found) return 'no server has been started on this database yet'
  if (found.place === found.here) return `${found.id} at ${found.here}: servers here send`
  return `${found.id} at ${found.place}, and the database is now at ${found.here}: servers here send nothing until ${CONFIRM}`
}

const show = async ({ json }: { json?: boolean }) => {
  const found = await withDatabase(readInstallation)
  printResult(json, found ?? null, () => describe(found))
}

const record = (tx: Transaction, details: object) =>
  recordAct(tx, { actor: administrator(), action: 'INSTALLATION_CONFIRMED', details })

const confirm = async ({ json }: { json?: boolean }) => {
  const found = await withDatabase((database, config) => confirmInstallation(database, config, record))
  printResult(json, found, () => describe(found))
}

/** Adds the commands to the program. */
export function addInstallationCommands(program: Command): void {
  const group = program
    .command('installation')
    .description('the place that this database belongs to, from where webhooks and charging calls go out')
    .addHelpText('after', DETAILS)
  group
    .command('show')
    .description('the place, and whether the database is there')
    .option('--json', 'print one line of JSON')
    .action(show)
  group
    .command('confirm')
    .description('confirm that what waits in this database is to be sent from here')
    .option('--json', 'print one line of JSON')
    .action(confirm)
}
