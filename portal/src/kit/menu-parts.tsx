/** Parts of an open menu, by Radix: arrow keys, type-ahead, Escape. */
import { DropdownMenu as Parts } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/i18n.tsx'
import { LANGUAGES } from '../i18n/preferences.ts'
import { Icon, type IconName } from './icon.tsx'
import type { MenuProps } from './menu.tsx'

/** The menu, open at first. */
export function OpenMenu({ button, children }: MenuProps) {
  const { language } = useTranslation()
  return (
    <Parts.Root modal={false} defaultOpen dir={LANGUAGES[language].dir}>
      <Parts.Trigger asChild>{button}</Parts.Trigger>
      <Parts.Portal>
        <Parts.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}

interface MenuItemProps {
  readonly icon?: IconName
  readonly hint?: string
  readonly onChoose: () => void
  readonly children: ReactNode
}

export function MenuItem({ icon, hint, onChoose, children }: MenuItemProps) {
  return (
    <Parts.Item className="menu-item" onSelect={onChoose}>
      {icon && <Icon name={icon} />}
      <span>
        {children}
        {hint && <small>{hint}</small>}
      </span>
    </Parts.Item>
  )
}

interface MenuChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}

/** One of a few, with a mark at the one that holds. */
export function MenuChoice({ label, value, options, onChoose }: MenuChoiceProps) {
  return (
    <>
      <Parts.Label className="menu-label">{label}</Parts.Label>
      <Parts.RadioGroup value={value} onValueChange={onChoose}>
        {options.map(([option, text]) => (
          <Parts.RadioItem key={option} className="menu-item" value={option}>
            <Icon name="check" />
            <span>{text}</span>
          </Parts.RadioItem>
        ))}
      </Parts.RadioGroup>
    </>
  )
}

export const MenuLine = () => <Parts.Separator className="menu-line" />
