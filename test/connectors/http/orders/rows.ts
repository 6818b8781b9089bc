/** What the tests of settling read of the database. */

import type { App } from '#core/context/app.ts'

export const orderRow = ({ db }: App, id: string) =>
  db.chargeOrder.findUniqueOrThrow({ where: { transactionId: id } })
