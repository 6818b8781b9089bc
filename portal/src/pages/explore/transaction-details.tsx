/** Details of a transaction: who it is about, who posted it, when, and by what names it is found. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { IconButton } from '../../kit/button.tsx'
import { useCopy } from '../../kit/copy.ts'
import { customerPath, numberPath } from './find.ts'
import type { TransactionJourneyQuery } from './transaction.generated.ts'

/** A transaction as its page asks for it. */
export type TransactionOfPage = NonNullable<TransactionJourneyQuery['transaction']>

/** A value that is often copied. */
export function Copied({ value }: { readonly value: string }) {
  const { m } = useTranslation()
  const { isCopied, copy } = useCopy()
  return (
    <span className="copied">
      <code className="ltr">{value}</code>
      <IconButton icon={isCopied ? 'check' : 'copy'} label={m.actions.copy} onClick={() => copy(value)} />
    </span>
  )
}

interface DetailProps {
  readonly label: string
  readonly children: ReactNode
}

/** A line of the details; nothing where there is no value. */
function Detail({ label, children }: DetailProps) {
  if (children === null || children === undefined || children === '' || children === false) return null
  return (
    <div className="detail">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function Details({ transaction: t }: { readonly transaction: TransactionOfPage }) {
  const { m, f } = useTranslation()
  const meta = t.__typename === 'Payment' ? t.paymentTransaction.paymentInfo.paymentMetaData : undefined
  return (
    <dl className="details">
      <Detail label={m.explore.detail.id}>
        <Copied value={t.id} />
      </Detail>
      <Detail label={m.explore.detail.customer}>
        {t.customer && (
          <Link to={customerPath(t.customer.customerAccountNumber)}>
            <bdi>{t.customer.customerName ?? t.customer.customerAccountNumber}</bdi>
          </Link>
        )}
      </Detail>
      <Detail label={m.explore.detail.number}>
        {t.subscriber && (
          <Link to={numberPath(t.subscriber.mobileNumber)} className="ltr number">
            {t.subscriber.mobileNumber}
          </Link>
        )}
      </Detail>
      <Detail label={m.explore.detail.postedBy}>
        {t.postedBy && (
          <>
            <bdi>{t.postedBy.name}</bdi> <span className="muted ltr">{t.postedBy.id}</span>
          </>
        )}
      </Detail>
      <Detail label={m.explore.detail.createdAt}>{f.exact(t.createdAt)}</Detail>
      <Detail label={m.explore.detail.completedAt}>{t.completedAt && f.exact(t.completedAt)}</Detail>
      <Detail label={m.explore.detail.status}>
        <code>{t.transactionOperationStatus}</code>
      </Detail>
      <Detail label={m.explore.detail.reference}>{t.referenceCode && <bdi>{t.referenceCode}</bdi>}</Detail>
      <Detail label={m.explore.detail.clientCorrelatorId}>
        {t.clientCorrelatorId && <Copied value={t.clientCorrelatorId} />}
      </Detail>
      <Detail label={m.explore.detail.correlator}>{t.correlator && <Copied value={t.correlator} />}</Detail>
      <Detail label={m.explore.detail.merchant}>
        {meta?.merchantName && <bdi>{meta.merchantName}</bdi>}
      </Detail>
      <Detail label={m.explore.detail.channel}>{meta?.channel && <bdi>{meta.channel}</bdi>}</Detail>
      <Detail label={m.explore.detail.method}>{meta?.paymentMethod?.replace('_', ' ')}</Detail>
      {t.__typename === 'Message' && (
        <>
          <Detail label={m.explore.detail.sender}>{t.sender}</Detail>
          <Detail label={m.explore.detail.recipient}>
            <span className="ltr">{t.recipient}</span>
          </Detail>
          <Detail label={m.explore.detail.text}>
            <bdi>{t.smsText}</bdi>
          </Detail>
        </>
      )}
    </dl>
  )
}
