/** The page for addresses that are none. */
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../i18n/i18n.tsx'
import { State } from '../kit/states.tsx'

export function NotFound() {
  const { m } = useTranslation()
  return (
    <State icon="empty" title={m.app.notFound}>
      <Link to="/">{m.app.toStart}</Link>
    </State>
  )
}
