/** Short marks: outcomes, kinds, states. The word says it; the colour repeats it. */
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'

export type Tone = 'good' | 'bad' | 'warn' | 'calm' | 'accent'

export function Badge({ tone = 'calm', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

const OUTCOME_TONES: Record<string, Tone> = {
  COMPLETED: 'good',
  FAILED: 'bad',
  PENDING: 'warn',
  CANCELLED: 'calm',
  REVERSED: 'calm',
}

export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const { m } = useTranslation()
  return <Badge tone={OUTCOME_TONES[outcome] ?? 'calm'}>{m.outcomes[outcome] ?? outcome}</Badge>
}

/** The kind of a transaction, with its colour. */
export function KindMark({ kind }: { readonly kind: string }) {
  const { m } = useTranslation()
  return (
    <span className="kind">
      <span className={`kind-dot kind-${kind.toLowerCase()}`} aria-hidden="true" />
      {m.kinds[kind] ?? kind}
    </span>
  )
}
