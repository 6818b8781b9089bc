/** Clients as a table for people. */
import type { Clients } from '../subgraphs/shared/access/clients.ts'
import type { Quotas } from '../subgraphs/shared/access/quotas.ts'
import { quotasText } from './client-quotas.ts'
import { table } from './output.ts'

type Listed = Awaited<ReturnType<Clients['list']>>[number]

const limitsText = (client: Listed) =>
  [
    client.maxAmount && `max-amount ${client.maxAmount}`,
    client.monthlyAmount && `monthly-limit ${client.monthlyAmount}`,
    client.maxPoints && `max-points ${client.maxPoints}`,
    client.monthlyPoints && `monthly-points ${client.monthlyPoints}`,
    client.dummyCards && 'dummy-cards',
    quotasText(client.quotas as Partial<Quotas>),
  ]
    .filter(Boolean)
    .join(', ')

const row = (client: Listed) => [
  client.id,
  client.role,
  client.name,
  client.phoneNumber ?? '-',
  client.currencies.join(','),
  limitsText(client) || '-',
  client.disabledAt ? `disabled ${client.disabledAt.toISOString()}` : 'active',
]

/** One line a client. */
export const describeClients = (clients: readonly Listed[]): string =>
  table(['ID', 'ROLE', 'NAME', 'PHONE', 'CURRENCIES', 'LIMITS', 'STATE'], clients.map(row))
