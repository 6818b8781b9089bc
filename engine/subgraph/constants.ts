/** Copies of a constant: whoever is given one may change it, and the next is given it as it was. */

/** Makes a copy. */
export type Copy = () => unknown

const isPrimitive = (value: unknown): boolean =>
  value === null || (typeof value !== 'object' && typeof value !== 'function')

/** The objects that graphql-js makes of literals; those of other prototypes are a scalar's own. */
const isInputObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

/** Undefined where one of the values has none. */
const copiersOf = (values: readonly unknown[]): Copy[] | undefined => {
  const copies = values.map(copierOf).filter(copy => copy !== undefined)
  return copies.length === values.length ? copies : undefined
}

const arrayCopier = (values: readonly unknown[]): Copy | undefined => {
  const copies = copiersOf(values)
  return copies && (() => copies.map(copy => copy()))
}

const objectCopier = (value: Record<string, unknown>): Copy | undefined => {
  const names = Object.keys(value)
  const copies = copiersOf(Object.values(value))
  if (!copies) return undefined
  return () => {
    const copied: Record<string, unknown> = Object.create(null)
    for (const [index, name] of names.entries()) copied[name] = copies[index]!()
    return copied
  }
}

/** What copies a value that was made of a literal; undefined for none, and where it holds an object of a scalar. */
export function copierOf(value: unknown): Copy | undefined {
  if (value === undefined) return undefined
  if (isPrimitive(value)) return () => value
  if (Array.isArray(value)) return arrayCopier(value)
  return isInputObject(value) ? objectCopier(value) : undefined
}
