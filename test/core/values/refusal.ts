/** The refusal of a value check, as a test compares it. */
import { ServiceError } from '#core/errors/catalogue.ts'

/** The message of the 400 INVALID_ARGUMENT that `check` throws; undefined if it throws nothing. A bug passes through. */
export const refusal = (check: () => unknown): string | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'INVALID_ARGUMENT') return error.message
    throw error
  }
}
