/** Errors of the graph. Pages act on their `extensions`, never on `message`, which is for people. */
import type { CombinedError } from 'urql'

export interface GraphFault {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly code: string
  /** Name of the reason, which does not change between versions. */
  readonly reason?: string
  /** Path of the field in the input that is at fault. */
  readonly field?: string
}

interface Extensions {
  readonly code?: string
  readonly reason?: string
  readonly field?: string
}

const NETWORK = 'NETWORK'

/** Finds the faults of a result. A connection that failed is a fault with the code NETWORK. */
export function faultsOf(error: CombinedError | undefined): GraphFault[] {
  if (!error) return []
  const faults = error.graphQLErrors.map(({ message, path, extensions }): GraphFault => {
    const { code = '', reason, field } = extensions as Extensions
    return { message, ...(path && { path }), code, ...(reason && { reason }), ...(field && { field }) }
  })
  if (faults.length > 0) return faults
  return [{ message: error.networkError?.message ?? error.message, code: NETWORK }]
}

/** Tells whether the token is not accepted, or not any more. */
export const isUnauthorized = ({ code }: GraphFault): boolean => code === 'UNAUTHORIZED'

/** Tells whether the role may not see it. */
export const isForbidden = ({ code }: GraphFault): boolean => code === 'PERMISSION_DENIED'

/** Tells whether the graph has no such customer or line. */
export const isUnknown = ({ reason }: GraphFault): boolean => reason === 'UNKNOWN_LINE'

/** Tells whether a service is away, so that another try may help. */
export const isAway = ({ code }: Pick<GraphFault, 'code'>): boolean =>
  ['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED', 'SERVER_ERROR', NETWORK].includes(code)

/** Tells whether a field is null because it could not be read. Without such a fault null means that there is no value. */
export const isUnavailable = (faults: readonly GraphFault[], ...field: (string | number)[]): boolean =>
  faults.some(({ path }) => path !== undefined && field.every((part, index) => path[index] === part))
