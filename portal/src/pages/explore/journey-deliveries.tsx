/** The webhook of a transaction: where it goes, what became of it, and the button that sends it again. */
import { lazy, Suspense } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { Badge, type Tone } from '../../kit/badge.tsx'
import { PathText } from '../../kit/code.tsx'
import { handlesWebhooks } from '../../session/session.ts'
import type { TransactionJourneyQuery } from './transaction.generated.ts'

const Redeliver = lazy(async () => ({ default: (await import('../../support/redeliver.tsx')).Redeliver }))

type Delivery = NonNullable<TransactionJourneyQuery['journey']>['deliveries'][number]

const TONES: Record<Delivery['status'], Tone> = { DELIVERED: 'good', PENDING: 'warn', DEAD: 'bad' }

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[]
  /** Called when one was sent again. */
  readonly onSent: () => void
}

export function JourneyDeliveries({ deliveries, onSent }: DeliveriesProps) {
  const { m, f } = useTranslation()
  return (
    <ul className="deliveries">
      {deliveries.map(one => (
        <li key={one.id}>
          <p className="row">
            <Badge tone={TONES[one.status]}>{m.explore.deliveryStatus[one.status]}</Badge>
            <span>{m.explore.attempts(one.attempts)}</span>
            {one.nextAttemptAt && (
              <span className="muted">{m.explore.nextAttempt(f.dateTime(one.nextAttemptAt))}</span>
            )}
          </p>
          {one.notificationUrl && <PathText path={one.notificationUrl} />}
          {one.status !== 'DELIVERED' && (one.lastStatus !== null || one.lastError) && (
            <p className="delivery-error">
              {m.explore.lastAnswer}{' '}
              <span className="ltr">
                {one.lastStatus} {one.lastError}
              </span>
            </p>
          )}
          {handlesWebhooks() && (
            <div className="row">
              <Suspense fallback={null}>
                <Redeliver delivery={one} mayAct onSent={onSent} />
              </Suspense>
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
