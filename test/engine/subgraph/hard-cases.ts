/** One operation by chance in one world by chance, executed both ways. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema, parse } from 'graphql'
import { seeded } from '#test/core/values/random.ts'
import { describeResult, executeCompiled } from './both-ways.ts'
import { randomOperation, randomVariables } from './random-operation.ts'
import { World } from './world.ts'

export interface HardCase {
  readonly query: string
  readonly variables: Record<string, unknown>
  readonly seed: number
}

/** The case of a seed. */
export const hardCase = (schema: GraphQLSchema, seed: number): HardCase => {
  const draw = seeded(seed)
  return { seed, query: randomOperation(schema, draw), variables: randomVariables(draw) }
}

type Execute = (args: ExecutionArgs) => unknown

/** How many promises were rejected that nobody waits for, as some are in a list whose execution ended early. */
const unhandled = { count: 0 }

/** Counts unhandled rejections from here on in place of the listeners before; disposing of it restores those. */
export const countUnhandled = (): Disposable => {
  const others = process.listeners('unhandledRejection')
  const count = () => {
    unhandled.count += 1
  }
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', count)
  return {
    [Symbol.dispose]() {
      process.off('unhandledRejection', count)
      for (const other of others) process.on('unhandledRejection', other)
    },
  }
}

/** Counts the turns of microtasks until the work is done. */
const countTurns = async (world: World, work: unknown): Promise<unknown> => {
  let isOver = false
  const turn = () => {
    world.turn += 1
    if (!isOver) queueMicrotask(turn)
  }
  queueMicrotask(turn)
  try {
    return await work
  } finally {
    isOver = true
  }
}

/** Record of one way: its calls in their turns, and its result. */
const observe = async (
  schema: GraphQLSchema,
  { query, variables, seed }: HardCase,
  errors: Map<string, unknown>,
  way: Execute,
) => {
  const world = new World(schema, seed, errors)
  const document = documentOf(query)
  const rootValue = world.root()
  const before = unhandled.count
  const given = way({
    schema,
    document,
    variableValues: structuredClone(variables),
    contextValue: { world },
    rootValue,
  })
  if (given === undefined) return undefined
  const result = (await countTurns(world, given)) as ExecutionResult
  const places = new Map(Array.from(errors, ([place, error]) => [error, place]))
  const described = describeResult(result, places)
  await nextTurn()
  return {
    result: described,
    isLater: given instanceof Promise,
    calls: world.calls,
    turns: world.turn,
    unhandled: unhandled.count - before,
    later: result.errors?.length,
  }
}

const documents = new Map<string, ReturnType<typeof parse>>()

/** The nodes of errors are compared by what they are. */
const documentOf = (query: string) => {
  const document = documents.get(query) ?? parse(query)
  documents.clear()
  documents.set(query, document)
  return document
}

/** Both ways. */
export const bothWays = async (schema: GraphQLSchema, one: HardCase) => {
  const errors = new Map<string, unknown>()
  const expected = await observe(schema, one, errors, execute)
  const compiled = await observe(schema, one, errors, executeCompiled)
  return { expected, compiled }
}
