/** Flags of the commands of `prove/`. */
import { InvalidArgumentError } from 'commander'

/** Reads a number above 0. @throws InvalidArgumentError saying what it must be. */
export const aboveZero = (text: string): number => {
  const number = Number(text)
  if (number > 0) return number
  throw new InvalidArgumentError('It must be a number above 0.')
}

/** Reads a whole number above 0. @throws InvalidArgumentError saying what it must be. */
export const wholeAboveZero = (text: string): number => {
  const number = Number(text)
  if (number > 0 && Number.isInteger(number)) return number
  throw new InvalidArgumentError('It must be a whole number above 0.')
}
