/** Buttons: one main action a view, quiet ones beside it. */
import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'main' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
}

export function Button({ look = 'plain', icon, children, className = '', ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button button-${look} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  readonly icon: IconName
  /** Name for those who do not see the icon. */
  readonly label: string
}

export function IconButton({ icon, label, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}
