/** A hot read that failed, told apart by `database-errors.ts` as Prisma's failures are. */

/** The database's words with their SQLSTATE, and no more: what else a driver's error holds may quote rows. */
class ReadFailure extends Error {
  override readonly name = 'ReadFailure'
  /** Where Prisma's errors have the code of the database. */
  readonly meta: { readonly code: string }

  constructor(message: string, code: string) {
    super(message)
    this.meta = { code }
  }
}

/** A connection that was tried at several addresses fails without words of its own. */
const firstOf = (thrown: unknown): unknown =>
  thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown

/** What the database says has a severity, which no failure of a socket has. */
const isOfDatabase = (thrown: unknown): thrown is Error & { readonly code: string } =>
  thrown instanceof Error && 'severity' in thrown && 'code' in thrown && typeof thrown.code === 'string'

/** What a driver threw, as it is passed on; a failure of the connection, and a bug, as it is. */
export const readFailure = (thrown: unknown): unknown => {
  const first = firstOf(thrown)
  return isOfDatabase(first) ? new ReadFailure(first.message, first.code) : first
}
