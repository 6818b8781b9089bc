/** An open dialog over the page, by Radix: focus stays within, Escape closes, screen readers hear the title. */
import { Dialog as Parts } from 'radix-ui'
import { useTranslation } from '../i18n/i18n.tsx'
import { IconButton } from './button.tsx'
import type { DialogProps } from './dialog.tsx'

export function OpenDialog({ title, onClose, wide = false, children }: Omit<DialogProps, 'isOpen'>) {
  const { m } = useTranslation()
  return (
    <Parts.Root open onOpenChange={open => !open && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="dialog-overlay" />
        <Parts.Content className={wide ? 'dialog dialog-wide' : 'dialog'} aria-describedby={undefined}>
          <header className="dialog-head">
            <Parts.Title asChild>
              <h2>{title}</h2>
            </Parts.Title>
            <IconButton icon="close" label={m.actions.close} onClick={onClose} />
          </header>
          <div className="dialog-body">{children}</div>
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}
