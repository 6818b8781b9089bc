/**
 * Bodies that their schema refuses: once a stand-in takes the place of each value that is missing or of the wrong
 * shape, the rules can find the other faults.
 */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { ServiceError } from '../errors/catalogue.ts'
import { CombinedError, faultsOf } from '../errors/faults.ts'

/** A schema without references, as far as a stand-in is made of it. */
export interface Shape {
  readonly type?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
}

/** The faults that a schema finds in a body. */
export class ShapeError extends CombinedError {
  readonly standIns: readonly string[]

  /** @param standIns the paths at which the body now holds something else than was sent. */
  constructor(faults: readonly ServiceError[], standIns: readonly string[]) {
    super(faults)
    this.standIns = standIns
  }

  /** Combines refusals beyond the schema's with one; none of their values has a stand-in. */
  static with(faults: readonly ServiceError[], shape?: ShapeError): ShapeError {
    const places = faults.flatMap(({ field }) => field ?? [])
    return new ShapeError([...(shape?.faults ?? []), ...faults], [...(shape?.standIns ?? []), ...places])
  }

  /** Selects the faults of a rule's refusal that are about values which were sent. */
  among(refusal: ServiceError): ServiceError[] {
    return faultsOf(refusal).filter(({ field, dependsOn }) =>
      [field, ...dependsOn].every(path => path === undefined || !this.#isStandIn(path)),
    )
  }

  #isStandIn(path: string): boolean {
    return this.standIns.some(one => path === one || path.startsWith(`${one}.`) || path.startsWith(`${one}[`))
  }
}

/** Makes a value of the right type that every rule refuses, since no client would send it. */
const standInFor = ({ type, required = [], properties = {} }: Shape = {}): unknown => {
  if (type === 'number' || type === 'integer') return Number.NaN
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type !== 'object') return ''
  return Object.fromEntries(required.map(name => [name, standInFor(properties[name])]))
}

const isIndex = (part: string) => /^\d+$/.test(part)

/** Splits a JSON pointer such as `/a~1b/0` into the names that lead to a value. */
const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The names as a client's engineer would write them: `amountDetails[0].amount`. */
const written = (parts: readonly string[]): string =>
  parts.reduce((path, part) => (isIndex(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

/** `/paymentInfo/amountDetails/0/amount` as `paymentInfo.amountDetails[0].amount`. */
export const toPath = (pointer: string): string => written(namesIn(pointer))

/** Finds the names that lead to the value of a fault. */
const placeOf = ({ keyword, instancePath, params }: ErrorObject): string[] => {
  const parts = namesIn(instancePath)
  return keyword === 'required' ? [...parts, String(params['missingProperty'])] : parts
}

/** Keywords of faults that leave a value: a list of the wrong length has items all the same. */
const KEPT = new Set(['minItems', 'maxItems'])

/**
 * Puts stand-ins into a body, in place.
 * @returns their paths.
 */
export function putStandIns(body: object, schema: Shape, errors: readonly ErrorObject[]): string[] {
  const places = errors.filter(({ keyword }) => !KEPT.has(keyword)).map(placeOf)
  // What stands in for a group comes before what is wrong within it.
  for (const parts of places.toSorted((one, other) => one.length - other.length)) {
    let [holder, shape]: [unknown, Shape | undefined] = [body, schema]
    for (const [index, part] of parts.entries()) {
      shape = isIndex(part) && shape?.items ? shape.items : shape?.properties?.[part]
      if (typeof holder !== 'object' || holder === null) break
      const fields = holder as Record<string, unknown>
      if (index === parts.length - 1) fields[part] = standInFor(shape)
      else holder = fields[part]
    }
  }
  return places.map(written)
}

/** Whether a path leads to a value of a body, from which the fields that its schema does not name were dropped. */
export const leadsToValue = (body: unknown, path: string): boolean => {
  let value = body
  for (const part of path.split(/[.[\]]+/).filter(one => one !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false
    value = (value as Record<string, unknown>)[part]
  }
  return true
}

/** The order in which a schema has its fields: groups at their place, items by their index. */
export const compareFields = (schema: Shape) => {
  const rankOf = (shape: Shape | undefined, part: string): number =>
    isIndex(part) ? Number(part) : Object.keys(shape?.properties ?? {}).indexOf(part)
  return (one = '', other = ''): number => {
    let shape: Shape | undefined = schema
    const [a, b] = [one, other].map(path => path.split(/[.[\]]+/).filter(part => part !== ''))
    for (let at = 0; at < Math.min(a!.length, b!.length); at++) {
      const difference = rankOf(shape, a![at]!) - rankOf(shape, b![at]!)
      if (difference !== 0) return difference
      shape = isIndex(a![at]!) ? shape?.items : shape?.properties?.[a![at]!]
    }
    return a!.length - b!.length
  }
}
