/** Failures that another try may mend, so that a subscription says where to resume rather than that it is refused. */
import { GraphQLError } from 'graphql'
import { ServiceError } from '../../subgraphs/shared/errors.ts'

const PASSING_CODES = new Set<unknown>(['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED'])

/** Whether the failure is one of the moment. */
export const isPassing = (error: unknown): boolean =>
  (error instanceof ServiceError && PASSING_CODES.has(error.code)) ||
  (error instanceof GraphQLError && PASSING_CODES.has(error.extensions['code']))
