/** Button that copies the address of the page, which holds all that is chosen on it. */
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from './button.tsx'
import { useCopy } from './copy.ts'

export function CopyLink() {
  const { m } = useTranslation()
  const { isCopied, copy } = useCopy()
  return (
    <Button look="quiet" icon={isCopied ? 'check' : 'link'} onClick={() => copy(location.href)}>
      {isCopied ? m.actions.copied : m.explore.copyLink}
    </Button>
  )
}
