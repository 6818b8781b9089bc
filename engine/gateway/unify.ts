/**
 * Equal entities at a path become one object: the author of fifty reviews is represented, merged into and completed further
 * down once instead of fifty times. Objects at one path are equal for good once they are equal, since later fetches of a plan
 * name paths and never single places. Only plain objects of scalars are compared, which entities are until the first fetch
 * for them. Places of errors stay places: a fetch still names each of them.
 */
import type { ResponsePath } from '@apollo/query-planner'
import { flatText } from '#gateway/transport/wrapped-source.ts'
import type { Entity } from './collect.ts'

/** Place of an entity: a list or an object, and where in it. */
type Container = Record<string | number, unknown>

/** Calls `visit` for each place at a path, once where its container stands at several places. */
const compileVisit = ([head, ...rest]: ResponsePath) => {
  type Visit = (container: Container, key: string | number) => void
  const next: ((value: unknown, seen: Set<unknown>, visit: Visit) => void) | undefined =
    rest.length > 0 ? compileVisit(rest) : undefined
  const enter = (container: Container, key: string | number, seen: Set<unknown>, visit: Visit) => {
    if (next) next(container[key], seen, visit)
    else visit(container, key)
  }
  return (value: unknown, seen: Set<unknown>, visit: Visit): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (head !== '@') enter(value as Container, head as string, seen, visit)
    else if (Array.isArray(value))
      for (let index = 0; index < value.length; index += 1)
        enter(value as unknown as Container, index, seen, visit)
  }
}

/** Share of different entities from which on making them one does not pay. */
const WORTHWHILE = 0.9
/** Fewest places that tell whether entities repeat. */
const TELLING = 4
/** Executions that go without after one in which entities did not repeat. */
const PAUSE = 50

/**
 * Makes the function that makes equal entities at a path one object; undefined for a path with a single place. Where they do
 * not repeat it pauses, so that operations without repetition do not pay for it.
 */
export function compileUnify(path: ResponsePath): ((data: unknown) => void) | undefined {
  if (!path.includes('@')) return undefined
  const visit = compileVisit(path)
  let pause = 0
  return data => {
    if (pause > 0) {
      pause -= 1
      return
    }
    let places = 0
    const known = new Map<string, Entity>()
    visit(data, new Set(), (container, key) => {
      const entity = container[key]
      const text = typeof entity === 'object' && entity !== null ? flatText(entity) : undefined
      if (text === undefined) return
      places += 1
      const first = known.get(text)
      if (first === undefined) known.set(text, entity as Entity)
      else if (first !== entity) container[key] = first
    })
    if (places >= TELLING && known.size > places * WORTHWHILE) pause = PAUSE
  }
}
