/**
 * Transient errors, which a retry may mend, so that a subscription says where to resume rather than that it is
 * refused.
 */
import { GraphQLError } from 'graphql'
import { ServiceError } from '#core/errors/catalogue.ts'

const TRANSIENT_CODES = new Set<unknown>(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'])

/** Whether a retry may succeed. */
export const isTransient = (error: unknown): boolean =>
  (error instanceof ServiceError && TRANSIENT_CODES.has(error.code)) ||
  (error instanceof GraphQLError && TRANSIENT_CODES.has(error.extensions['code']))
