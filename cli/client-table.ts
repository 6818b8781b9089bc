/** Clients as a table for people. */
import type { PublicClient } from '#core/access/clients.ts'
import type { Quotas } from '#core/access/quotas.ts'
import { quotasText } from './client-quotas.ts'
import { table } from './output.ts'

const limitsText = (client: PublicClient) =>
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

const stateText = ({ disabledAt }: PublicClient) =>
  disabledAt ? `disabled ${disabledAt.toISOString()}` : 'active'

const row = (client: PublicClient) => [
  client.id,
  client.role,
  client.name,
  client.phoneNumber ?? '-',
  client.currencies.join(','),
  limitsText(client) || '-',
  stateText(client),
]

const HEADINGS = ['ID', 'ROLE', 'NAME', 'PHONE', 'CURRENCIES', 'LIMITS', 'STATE']

/** One line a client. */
export const describeClients = (clients: readonly PublicClient[]): string => table(HEADINGS, clients.map(row))

/** One client, a line for each of the headings. */
export const describeClient = (client: PublicClient): string => {
  const cells = row(client).map((cell, index) => [HEADINGS[index]!.toLowerCase(), cell])
  const lines = [...cells, ['added', client.createdAt.toISOString()]]
  return lines.map(([name, text]) => `${name!.padEnd(15)}${text}`).join('\n')
}
