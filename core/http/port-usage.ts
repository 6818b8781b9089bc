/** What clients use of a port of its own: counted apart from the rest of the process. */
import { type ClientUsage, createClientUsage } from '../access/client-usage.ts'
import type { Quotas } from '../access/quotas.ts'

const multiplied = (quotas: Quotas, times: number): Quotas => ({
  ...quotas,
  requestsInFlight: quotas.requestsInFlight * times,
  requestsPerSecond: quotas.requestsPerSecond * times,
})

/** Counts requests against quotas that are so many times those of the client. */
export function createPortUsage(times: number): Pick<ClientUsage, 'enterRequest'> {
  const usage = createClientUsage()
  return {
    enterRequest: principal =>
      usage.enterRequest({ ...principal, quotas: multiplied(principal.quotas, times) }),
  }
}
