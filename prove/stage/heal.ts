/** Brings everything back once no fault is made any more, whatever a fault has left behind. */
import { setTimeout as delay } from 'node:timers/promises'
import { moveClock } from './clock.ts'
import { emptyDisk } from './disk.ts'
import type { Stage } from './stage.ts'
import { USUAL_FAULTS } from './systems.ts'

const REVIVE_TRIES = 20

/** @throws Error when a server or the database does not come back. */
export async function heal(stage: Stage): Promise<void> {
  const { postgres, patroni, servers, databaseWires, serviceWires, systems, clocks, disk } = stage
  for (const wire of [...databaseWires, ...serviceWires]) wire.restore()
  for (const clock of clocks) moveClock(clock, 0)
  if (disk) emptyDisk(disk)
  for (let n = 0; postgres && !(await postgres.answers()); n++) {
    if (n === REVIVE_TRIES) throw new Error('PostgreSQL does not come back')
    await postgres.restart().catch(() => undefined)
    await delay(500)
  }
  await postgres?.resetSettings()
  for (const { machine } of patroni?.nodes ?? []) machine.signal('SIGCONT')
  if (systems) {
    for (const wire of [systems.chargingWire, systems.centreWire]) wire.restore()
    for (const one of [systems.charging, systems.centre]) {
      one.thaw()
      await one.start()
    }
    await systems.chargingFaults(USUAL_FAULTS.filter(({ fault }) => fault !== 'pending'))
    await systems.centreFaults({
      loseReceipts: 0,
      hangTaken: 0,
      hangUntaken: 0,
      cutTaken: 0,
      cutUntaken: 0,
      throttle: 0,
    })
  }
  for (const server of servers) server.thaw()
  await Promise.all(servers.map(server => server.start()))
}
