/** The page in the place of one that failed to show itself. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { State } from '../kit/states.tsx'

export function Crashed({ error }: ErrorComponentProps) {
  const { m } = useTranslation()
  return (
    <State icon="alert" title={m.app.crashed} tone="bad">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button icon="refresh" onClick={() => location.reload()}>
        {m.states.retry}
      </Button>
    </State>
  )
}
