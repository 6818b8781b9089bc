/** Transactions that a test writes into their tables itself. */
import type { App } from '#core/context/app.ts'
import { bookOf, type Sequence } from '#core/data/gapless-sequence.ts'

/** Says that a kind's table has so many, as who posts does: what is numbered up to there is there. */
export const notePosted = (
  { db }: Pick<App, 'db'>,
  sequence: Sequence,
  position: number,
): Promise<number> => db.$executeRaw`
  INSERT INTO ${bookOf(sequence)} (name, client_id, position) VALUES (${sequence.table}, '', ${position}::bigint)
  ON CONFLICT (name, client_id) DO UPDATE SET position = excluded.position`
