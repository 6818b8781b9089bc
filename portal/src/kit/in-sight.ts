/** Rows of links that scroll on a narrow window: the link of the page that is open is brought into sight. */
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef } from 'react'

/** Makes the reference for such a row. @returns it; the row scrolls when the address changes. */
export function useInSight(): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const { current } = row
    const link = current?.querySelector('[aria-current="page"]')
    if (!current || !link) return
    const [outer, inner] = [current.getBoundingClientRect(), link.getBoundingClientRect()]
    // Without `scrollIntoView`, which would scroll the page as well.
    current.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2
  }, [pathname])
  return row
}
