/** Tables of capacity as docs/scaling.md has them. */
import { ASSUMED, capacityTable } from './capacity.ts'

/** Place of the tables in the page. */
export const KEPT = /(<!-- capacity -->\n)[\s\S]*(<!-- end of capacity -->)/

const VOLUMES = [1e6, 1e7, 1e8]
const SHORT_DAYS = 30

/** Both tables: events kept as long as transactions, and for a month. */
export const capacityText = (): string =>
  [
    `Events and deliveries kept for ${ASSUMED.eventDays} days too:`,
    capacityTable(VOLUMES),
    `The same with \`EVENT_RETENTION_DAYS=${SHORT_DAYS}\`:`,
    capacityTable(VOLUMES, { ...ASSUMED, eventDays: SHORT_DAYS }),
  ].join('\n\n')
