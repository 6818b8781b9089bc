/** In the graph, what is not found is null: only REST responds with 404. */
import { ServiceError } from '../errors/catalogue.ts'

/** The result, or null where the service says NOT_FOUND. */
export const nullIfNotFound = async <T>(result: Promise<T>): Promise<T | null> => {
  try {
    return await result
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null
    throw error
  }
}
