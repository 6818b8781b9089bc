/** Clients of a run: partners, one of them at its limits, a portal, an analyst and an auditor. */
import type { NewClient } from '#core/access/client-input.ts'
import type { ClientLine } from '../history/lines.ts'

export const PARTNERS = ['pa', 'pb', 'pl'] as const
export const PORTAL = 'portal'
export const ANALYST = 'analyst'
export const AUDITOR = 'auditor'

const MONTHLY = { monthlyAmount: '40', monthlyPoints: '40' }

/** Clients as they are registered; secrets are derived from ids, since everything is gone after the run. */
export const CLIENTS: readonly NewClient[] = [
  { id: 'pa', role: 'partner' as const },
  { id: 'pb', role: 'partner' as const },
  { id: 'pl', role: 'partner' as const, ...MONTHLY },
  { id: PORTAL, role: 'portal' as const },
  { id: ANALYST, role: 'analyst' as const },
  { id: AUDITOR, role: 'auditor' as const },
].map(client => ({ ...client, dummyCards: true, secret: secretOf(client.id) }))

export function secretOf(id: string): string {
  return `${id}-secret-of-the-run`
}

export const clientLines = (): ClientLine[] =>
  CLIENTS.map(({ id, role, monthlyAmount, monthlyPoints }) => ({
    t: 'client',
    id,
    role,
    ...(monthlyAmount && { monthlyAmount }),
    ...(monthlyPoints && { monthlyPoints }),
  }))
