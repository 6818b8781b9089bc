/** The page in the place of one that failed to show itself. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { State } from '../kit/states.tsx'
import { PartMissing, reloadWhereServed } from './renewal.ts'

/** Whether a part did not load: by our own word, or by that of Chromium, Firefox or Safari for a part that is no page. */
const isMissing = (error: unknown): boolean =>
  error instanceof PartMissing ||
  (error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message))

export function Crashed({ error }: ErrorComponentProps) {
  const { m } = useTranslation()
  return (
    <State icon="alert" title={m.app.crashed} tone="bad">
      <p>{isMissing(error) ? m.app.partMissing : error instanceof Error ? error.message : String(error)}</p>
      <Button icon="refresh" onClick={() => void reloadWhereServed()}>
        {m.states.retry}
      </Button>
    </State>
  )
}
