/** The one table of states that rewards and redemptions share (contract document 3, "TransactionOperationStatus"). */
import type { TransactionKind } from './kind.ts'

const FINAL = ['success', 'failed', 'cancelled', 'invalid', 'expired', 'declined']

/** A success alone may still be taken back. */
export const POINTS_STATES = {
  initial: 'processing',
  transitions: {
    processing: ['pending', ...FINAL],
    pending: FINAL,
    success: ['reversed'],
  },
  outcomes: {
    processing: 'PENDING',
    pending: 'PENDING',
    success: 'COMPLETED',
    failed: 'FAILED',
    cancelled: 'CANCELLED',
    invalid: 'FAILED',
    expired: 'FAILED',
    declined: 'FAILED',
    reversed: 'REVERSED',
  },
  limit: { holder: 'mobileNumber', measure: 'points' },
} as const satisfies Partial<TransactionKind>

/** Whether it was carried out, be it taken back since: when that was is told then. */
export const hasTakenPlace = ({ status }: { readonly status: string }): boolean =>
  status === 'success' || status === 'reversed'
