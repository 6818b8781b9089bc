/** Dialogs over the page. What they are made of is loaded when the first one is opened. */
import { lazy, type ReactNode, Suspense } from 'react'

const OpenDialog = lazy(async () => ({ default: (await import('./dialog-parts.tsx')).OpenDialog }))

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly wide?: boolean
  readonly children: ReactNode
}

export function Dialog({ isOpen, ...rest }: DialogProps) {
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <OpenDialog {...rest} />
    </Suspense>
  )
}
