/** Ways from the front door, by role. */
import type { Messages } from '../../i18n/en.ts'
import { EVENTS_FILE } from '../../kit/contract-files.tsx'

export interface Way {
  readonly to: string
  readonly text: keyof Messages['home']['ways']
  /** Whether the server makes the page itself. */
  readonly isServed?: boolean
  readonly needsSchema?: boolean
}

export const ROLES: readonly {
  readonly role: keyof Messages['home']['roles']
  readonly ways: readonly Way[]
}[] = [
  {
    role: 'analyst',
    ways: [
      { to: '/explore', text: 'explore' },
      { to: '/analyse', text: 'analyse' },
    ],
  },
  {
    role: 'partner',
    ways: [
      { to: '/partner', text: 'partner' },
      { to: '/reference', text: 'reference' },
      { to: '/docs/webhooks', text: 'webhooks', needsSchema: true },
      { to: EVENTS_FILE, text: 'events', isServed: true },
    ],
  },
  {
    role: 'developer',
    ways: [
      { to: '/graphql', text: 'graphql', needsSchema: true },
      { to: '/docs/portal', text: 'guide', needsSchema: true },
      { to: '/schema.graphql', text: 'schema', isServed: true, needsSchema: true },
      { to: EVENTS_FILE, text: 'events', isServed: true },
    ],
  },
  {
    role: 'operator',
    ways: [
      { to: '/desk', text: 'desk' },
      { to: '/docs/operating', text: 'operating', needsSchema: true },
      { to: '/health/ready', text: 'health', isServed: true },
      { to: '/metrics', text: 'metrics', isServed: true },
    ],
  },
]

/** Steps of the tour, with addresses that the demo data has something at. */
export const TOUR: readonly {
  readonly step: keyof Messages['home']['tour']
  readonly to: '/explore' | '/explore/compare'
  readonly search: Readonly<Record<string, string>>
}[] = [
  { step: 'customer', to: '/explore', search: { q: '9100 0002' } },
  { step: 'failed', to: '/explore', search: { outcomes: 'FAILED' } },
  { step: 'transaction', to: '/explore', search: { outcomes: 'COMPLETED', kinds: 'PAYMENT' } },
  { step: 'compare', to: '/explore/compare', search: { a: '100001', b: '100002' } },
]
