/** Steps of a journey, one below the other. */
import { useTranslation } from '../../i18n/i18n.tsx'
import type { Tone } from '../../kit/badge.tsx'
import { Icon, type IconName } from '../../kit/icon.tsx'
import type { JourneyStepKind, TransactionJourneyQuery } from './transaction.generated.ts'

type Journey = NonNullable<TransactionJourneyQuery['journey']>

const STEP_ICONS: Record<JourneyStepKind, IconName> = {
  RECEIVED: 'download',
  REFUSED: 'close',
  POSTED: 'check',
  ORDERED: 'refresh',
  SETTLED: 'check',
  INTERVENED: 'person',
  EVENT: 'link',
  ATTEMPTED: 'external',
  DELIVERED: 'check',
  DEAD: 'close',
}

const STEP_TONES: Partial<Record<JourneyStepKind, Tone>> = {
  REFUSED: 'bad',
  DEAD: 'bad',
  DELIVERED: 'good',
  SETTLED: 'accent',
  INTERVENED: 'warn',
}

const toneOf = (kind: JourneyStepKind, outcome?: string): Tone => {
  if (kind === 'SETTLED' && outcome === 'FAILED') return 'bad'
  if (kind === 'SETTLED' && outcome === 'COMPLETED') return 'good'
  return STEP_TONES[kind] ?? 'calm'
}

interface StepsProps {
  readonly steps: Journey['steps']
  /** Outcome of the transaction, by which its settlement is marked where it is known. */
  readonly outcome?: string
}

export function Steps({ steps, outcome }: StepsProps) {
  const { m, f } = useTranslation()
  return (
    <ol className="steps">
      {steps.map(({ at, kind, text, durationMs, sincePreviousMs }, index) => (
        <li key={index} className={`step step-${toneOf(kind, outcome)}`}>
          <span className="step-mark">
            <Icon name={kind === 'SETTLED' && outcome === 'FAILED' ? 'close' : STEP_ICONS[kind]} />
          </span>
          <div className="step-text">
            <p>
              <strong>{m.explore.steps[kind]}</strong> <bdi>{text}</bdi>
            </p>
            <p className="muted small">
              <time dateTime={at}>{f.exact(at)}</time>
              {sincePreviousMs !== null && sincePreviousMs > 0 && (
                <> · {m.explore.later(f.duration(sincePreviousMs))}</>
              )}
              {durationMs !== null && <> · {m.explore.took(f.duration(durationMs))}</>}
            </p>
          </div>
        </li>
      ))}
    </ol>
  )
}
