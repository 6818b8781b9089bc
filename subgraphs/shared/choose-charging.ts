/** Chooses what stands behind the port to the charging system, service by service: the embedded ledger unless settings say otherwise. */
import { type Charging, everywhere } from './charging/choice.ts'
import { createLedger } from './charging/ledger.ts'

/** The choice of this process. */
export const chooseCharging = (): Charging => everywhere(createLedger())
