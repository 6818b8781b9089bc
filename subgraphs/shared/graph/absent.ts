/** In the graph, what is not there is null: only REST says 404. */
import { ServiceError } from '../errors.ts'

/** The result, or null where the service says NOT_FOUND. */
export const orNull = async <T>(result: Promise<T>): Promise<T | null> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
