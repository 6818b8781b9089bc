/** Fetches as the gateway's executor sends them to a source, with a client's context. */
import type { FormattedExecutionResult } from 'graphql'
import { DEFAULT_QUOTAS, type Principal } from '#core/access/principal.ts'
import { NO_TRAIL } from '#core/audit/access-recorder.ts'
import { createLog } from '#core/observability/log.ts'
import { createContext } from '#gateway/operation/context.ts'
import type { Fetch, SubgraphSource } from '#gateway/transport/transport.ts'

export const log = createLog('silent')

export const principalOf = (
  clientId: string,
  role: Principal['role'] = 'portal',
  phoneNumber?: string,
): Principal => ({
  clientId,
  name: clientId,
  role,
  phoneNumber,
  limits: { currencies: [], dummyCards: false },
  quotas: DEFAULT_QUOTAS,
  expiresAt: new Date(Date.now() + 60_000),
})

export interface Asking {
  readonly principal?: Principal
  readonly timeoutMs?: number
  readonly trace?: Record<string, string>
  readonly takesParts?: boolean
}

/** The context of an operation; its clock is stopped by whoever asks through `process`. */
export const contextOf = ({
  principal = principalOf('demo'),
  timeoutMs = 10_000,
  trace,
  takesParts,
}: Asking = {}) =>
  createContext({
    principal,
    timeoutMs,
    trace,
    takesParts,
    authorization: `Bearer of ${principal.clientId}`,
    correlator: `c-${principal.clientId}`,
    trail: NO_TRAIL,
  })

export interface Call extends Asking {
  readonly query?: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  /** The kind of the client's operation, of which this is one fetch. */
  readonly within?: 'query' | 'mutation'
  /** Representations as an executor has told them apart. */
  readonly distinct?: Fetch['distinct']
}

/** Asks a source as the executor does. */
export async function ask(source: SubgraphSource, call: Call = {}): Promise<FormattedExecutionResult> {
  const { query = '{ok}', operationName, variables = {}, within = 'query', distinct } = call
  const context = contextOf(call)
  const options = {
    request: { query, operationName, variables },
    context,
    incomingRequestContext: { operation: { operation: within } },
    distinct,
  }
  try {
    return await source.process(options)
  } finally {
    context.done()
  }
}

/** The codes of a result's errors. */
export const codesOf = ({ errors }: FormattedExecutionResult) =>
  errors?.map(({ extensions }) => extensions?.['code'])
