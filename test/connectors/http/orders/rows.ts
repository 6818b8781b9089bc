/** Rows of the database that the tests of settling read. */

import type { App } from '#core/context/app.ts'

export const orderRow = ({ db }: App, id: string) =>
  db.chargeOrder.findUniqueOrThrow({ where: { transactionId: id } })
