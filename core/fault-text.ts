/** What keeps a program from starting, in one sentence for whoever runs it. */
import { fromDatabase, stateOf } from './data/database-errors.ts'
import { SetupError } from './errors/setup-error.ts'

/** SQLSTATE classes that blame `DATABASE_URL`: whoever connects is not let in, or there is no such database. */
const REFUSED_CONNECTIONS = /^(28|3D)/

/** SQLSTATE of a change where nothing may be changed: READ_ONLY, or a replica. */
const ONLY_READS = '25006'

/** A connection that was tried at several addresses fails without a message of its own. */
const firstOf = (error: Error): Error =>
  error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error

/** Prisma puts the call and its source before the reason, which stands on the last line. */
export const lastLine = ({ message, name }: Error): string => message.trim().split('\n').at(-1) || name

/** A raw statement's failure has the database's own words between backticks. */
const reasonOf = (error: Error) => {
  const [, words] = lastLine(error).split('Message: `')
  return words?.slice(0, -1) ?? lastLine(error)
}

const codeOf = (error: Error) => stateOf(error) ?? ('code' in error ? String(error.code) : '')

const isOfDatabase = (error: Error) =>
  fromDatabase(error)?.code === 'SERVICE_UNAVAILABLE' || REFUSED_CONNECTIONS.test(codeOf(error))

/** The sentence for a fault of the installation; undefined for a bug, which is told with its stack. */
export function faultText(error: unknown): string | undefined {
  if (error instanceof SetupError) return error.message
  if (!(error instanceof Error)) return undefined
  const first = firstOf(error)
  if (stateOf(first) === ONLY_READS) return fromDatabase(first)?.message
  return isOfDatabase(first) ? `The database of DATABASE_URL cannot be used: ${reasonOf(first)}` : undefined
}
