/** Menus that open at a button. What they are made of is loaded when the first one is opened. */
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'

const load = () => import('./menu-parts.tsx')

const OpenMenu = lazy(async () => ({ default: (await load()).OpenMenu }))
export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuChoice = lazy(async () => ({ default: (await load()).MenuChoice }))
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }))

interface ButtonProps {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: () => void
  onPointerEnter?: () => void
}

export interface MenuProps {
  /** The button at which it opens. */
  readonly button: ReactElement<ButtonProps>
  readonly children: ReactNode
}

export function Menu({ button, children }: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const closed = cloneElement(button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWanted(true),
    // Where it does not load, opening the menu says so.
    onPointerEnter: () => void load().catch(() => undefined),
  })
  if (!isWanted) return closed
  return (
    <Suspense fallback={closed}>
      <OpenMenu button={button}>{children}</OpenMenu>
    </Suspense>
  )
}
