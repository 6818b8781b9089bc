/** Names that people group by, as entries and sums hold them. */

/** In characters; longer ones would not fit the keys. */
export const NAME_LENGTH = 100

/** A name as it is held: on one line, and cut. */
export const heldName = (name: string): string =>
  [...name.replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('')
