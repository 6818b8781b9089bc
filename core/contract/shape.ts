/**
 * Bodies that their schema refuses, looked at further: the rules can tell what else is wrong with one once something
 * stands in for each value that is missing or of the wrong shape.
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

  /** One that refuses more values, in which nothing stands in for these. */
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

/** A value of the right type that no rule takes for one that was sent: whatever looks at it refuses it. */
const standInFor = ({ type, required = [], properties = {} }: Shape = {}): unknown => {
  if (type === 'number' || type === 'integer') return Number.NaN
  if (type === 'boolean') return false
  if (type === 'array') return []
  if (type !== 'object') return ''
  return Object.fromEntries(required.map(name => [name, standInFor(properties[name])]))
}

const isIndex = (part: string) => /^\d+$/.test(part)

/** `/a~1b/0` as the names that lead to a value. */
const internalsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The names as a client's engineer would write them: `amountDetails[0].amount`. */
const written = (parts: readonly string[]): string =>
  parts.reduce((path, part) => (isIndex(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

/** `/paymentInfo/amountDetails/0/amount` as `paymentInfo.amountDetails[0].amount`. */
export const toPath = (pointer: string): string => written(internalsOf(pointer))

/** The names that lead to what a fault is about. */
const placeOf = ({ keyword, instancePath, params }: ErrorObject): string[] => {
  const parts = internalsOf(instancePath)
  return keyword === 'required' ? [...parts, String(params['missingProperty'])] : parts
}

/** A list of the wrong length has items all the same. */
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
