/** Where the entities of a fetch stand in the result that it is merged into. */

type Entity = Readonly<Record<string, unknown>>

/** A response key, or `@` for each item of a list. */
type Place = readonly (string | number)[]

const isObject = (value: unknown): value is Entity => typeof value === 'object' && value !== null

/** The entities at a place, in the sequence in which the executor counts them: without those that are null. */
export const entitiesAt = (data: unknown, place: Place): Entity[] => {
  if (!isObject(data)) return []
  const [head, ...rest] = place
  if (Array.isArray(data)) return data.flatMap(item => entitiesAt(item, head === '@' ? rest : place))
  return head === undefined ? [data] : entitiesAt(data[head], rest)
}

/** A representation has the type and the key of its entity. */
const represents = (representation: Entity, entity: Entity): boolean =>
  Object.entries(representation).every(([name, value]) => isObject(value) || entity[name] === value)

/** For each representation, the index of the entity it was made of; they are in the entities' sequence. */
export const indexesOf = (
  representations: readonly Entity[],
  entities: readonly Entity[],
): (number | undefined)[] => {
  let next = 0
  return representations.map(representation => {
    const found = entities.findIndex((entity, index) => index >= next && represents(representation, entity))
    if (found < 0) return undefined
    next = found + 1
    return found
  })
}
