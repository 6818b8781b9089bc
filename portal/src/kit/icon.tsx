/** Icons: outlines on a grid of 16 by 16, in the colour of the text around them. */

const PATHS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'm4 4 8 8m0-8-8 8',
  check: 'm3 8.5 3.2 3.2L13 5',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  down: 'm4 6 4 4 4-4',
  next: 'm6 4 4 4-4 4',
  person: 'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5 6c.6-2.6 2.5-4 5-4s4.4 1.4 5 4',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0 0c1.7-1.6 2.5-3.6 2.5-6S9.700 3.600 8 2C6.300 3.600 5.500 5.600 5.500 8s.8 4.400 2.500 6ZM2 8h12',
  alert: 'M8 5.500v3m0 2.500h.01M8 2 1.500 13.500h13Z',
  lock: 'M4 7h8v6.500H4zM5.500 7V5a2.500 2.500 0 0 1 5 0v2',
  empty: 'M2.500 9.500 4 3h8l1.500 6.500V13h-11Zm0 0H6a2 2 0 0 0 4 0h3.500',
  refresh: 'M13 8a5 5 0 1 1-1.600-3.700M13 2.500V5h-2.500',
  star: 'm8 2.200 1.800 3.700 4 .6-2.900 2.800.7 4L8 11.400l-3.600 1.900.7-4L2.200 6.500l4-.6Z',
  link: 'M6.500 9.500l3-3M7 4.500l1-1a3 3 0 0 1 4.500 4.500l-1 1M9 11.500l-1 1A3 3 0 0 1 3.500 8l1-1',
  download: 'M8 2.500v7.500m-3-3 3 3 3-3M3 13.500h10',
  code: 'm5.500 4.500-3.500 3.500 3.500 3.500m5-7 3.500 3.500-3.500 3.500',
  external: 'M9.500 3H13v3.500M13 3 7.500 8.500M11 9.500V13H3V5h3.500',
  calendar: 'M3 4h10v9H3zM3 7h10M5.500 2.500V5m5-2.500V5',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-9.500v1m0 11v1m6.500-6.500h-1m-11 0h-1m11.100-4.600-.7.7M4.100 11.900l-.7.7m9.200 0-.7-.7M4.100 4.100l-.7-.7',
} as const

export type IconName = keyof typeof PATHS

/** Icons that point in the direction of the text. They are mirrored where it runs from right to left. */
const MIRRORED: readonly IconName[] = ['next', 'external']

/** Icon beside a text. Screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className={MIRRORED.includes(name) ? 'icon icon-mirrored' : 'icon'}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
