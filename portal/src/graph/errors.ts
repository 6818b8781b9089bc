/** Errors of the graph as a page acts on them: by `extensions`, never by `message`, which is for people. */
import type { CombinedError } from 'urql'

export interface GraphFault {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly code: string
  /** Reason by a name that stays. */
  readonly reason?: string
  /** Place in the input. */
  readonly field?: string
}

interface Extensions {
  readonly code?: string
  readonly reason?: string
  readonly field?: string
}

const NETWORK = 'NETWORK'

/** The faults of a result; a connection that failed is one of its own. */
export function faultsOf(error: CombinedError | undefined): GraphFault[] {
  if (!error) return []
  const faults = error.graphQLErrors.map(({ message, path, extensions }): GraphFault => {
    const { code = '', reason, field } = extensions as Extensions
    return { message, ...(path && { path }), code, ...(reason && { reason }), ...(field && { field }) }
  })
  if (faults.length > 0) return faults
  return [{ message: error.networkError?.message ?? error.message, code: NETWORK }]
}

/** Whether the token is not accepted (any more). */
export const isUnauthorized = ({ code }: GraphFault): boolean => code === 'UNAUTHORIZED'

/** Whether the role may not see it. */
export const isForbidden = ({ code }: GraphFault): boolean => code === 'PERMISSION_DENIED'

/** Whether the graph knows no such customer, line or other thing. */
export const isUnknown = ({ reason }: GraphFault): boolean => reason === 'UNKNOWN_LINE'

/** Whether the service behind it is away, so that trying again may help. */
export const isAway = ({ code }: Pick<GraphFault, 'code'>): boolean =>
  ['SERVICE_UNAVAILABLE', 'REQUEST_TIMEOUT_EXCEEDED', 'SERVER_ERROR', NETWORK].includes(code)

/** Whether a field is missing because it could not be had, as opposed to not being there. */
export const isUnavailable = (faults: readonly GraphFault[], ...field: (string | number)[]): boolean =>
  faults.some(({ path }) => path !== undefined && field.every((part, index) => path[index] === part))
