/** Faults that a subgraph's answer can have, put into good ones by a seed. */

import { createRandom, hash, type Random } from '#test/support/random.ts'
import type { Answerer } from './mock-subgraphs.ts'

type Fields = Record<string, unknown>
type Key = string | number

/** A value of an answer, and where it stands. */
interface Spot {
  readonly holder: Fields
  readonly key: Key
  readonly path: readonly Key[]
}

interface Answer {
  data?: Fields | null
  errors?: object[] | object
  [more: string]: unknown
}

const isHolder = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function* spotsIn(holder: Fields, path: readonly Key[] = []): Generator<Spot> {
  for (const [name, value] of Object.entries(holder)) {
    const key = Array.isArray(holder) ? Number(name) : name
    yield { holder, key, path: [...path, key] }
    if (isHolder(value)) yield* spotsIn(value, [...path, key])
  }
}

type Change = (spot: Spot, random: Random) => void

const set =
  (value: unknown): Change =>
  ({ holder, key }) => {
    holder[key] = structuredClone(value)
  }

/** Faults in the place of any value. */
const VALUES: Change[] = [
  set(null),
  set('a text'),
  set(''),
  set(7),
  set(0),
  set(1.5),
  set(true),
  set(false),
  set([]),
  set([null]),
  set([{}]),
  set({}),
  set({ __typename: 'Query', id: 'id0' }),
  ({ holder, key }) => delete holder[key],
  ({ holder, key }) => {
    holder[key] = [holder[key]]
  },
]

const TYPENAMES: Change[] = [
  ...[null, '', 'Nonsense', 'String', 'Transaction', 'Customer', 'Money', 5, {}].map(set),
  ({ holder }) => delete holder['__typename'],
]

const LISTS: Change[] = [
  ({ holder, key }) => void (holder[key] as unknown[]).pop(),
  ({ holder, key }) => void (holder[key] as unknown[]).push(null),
  ({ holder, key }) => void (holder[key] as unknown[]).push({ __typename: 'Customer' }),
  ({ holder, key }) => void (holder[key] as unknown[]).reverse(),
  set({ 0: 'no list' }),
  set([]),
]

const changesFor = ({ holder, key }: Spot, random: Random): Change[] => {
  if (key === '__typename') return TYPENAMES
  return Array.isArray(holder[key]) && random.chance(0.7) ? LISTS : VALUES
}

const CODES = [undefined, 'NOT_FOUND', 'INTERNAL_SERVER_ERROR', 'INVALID_GRAPHQL', 'DOWNSTREAM_SERVICE_ERROR']

const pathFor = (spots: readonly Spot[], random: Random): readonly Key[] | undefined =>
  random.pick([
    undefined,
    [],
    ['_entities', random.below(5), 'name'],
    ['_entities', random.below(3)],
    ['_entities'],
    spots.length > 0 ? random.pick(spots).path : ['nowhere'],
  ])

const errorFor = (spots: readonly Spot[], random: Random): object => {
  const code = random.pick(CODES)
  const path = pathFor(spots, random)
  return {
    message: random.pick(['failed', '', 'not allowed']),
    ...(path && { path }),
    ...(random.chance(0.8) && { extensions: { ...(code && { code }), detail: { at: 1 } } }),
  }
}

type Fault = (answer: Answer, spots: readonly Spot[], random: Random) => void

const changeSome: Fault = (_, spots, random) => {
  if (spots.length === 0) return
  const spot = random.pick(spots)
  random.pick(changesFor(spot, random))(spot, random)
}

/** The list of entities has faults of its own, which would else be too rare. */
const changeEntities: Fault = (answer, spots, random) => {
  const entities = spots.filter(({ path }) => path[0] === '_entities' && path.length < 3)
  const last = entities.length > 0 ? random.pick(entities) : undefined
  if (last) random.pick(changesFor(last, random))(last, random)
  else changeSome(answer, spots, random)
}

const changeTypename: Fault = (answer, spots, random) => {
  const names = spots.filter(({ key }) => key === '__typename')
  if (names.length === 0) return changeSome(answer, spots, random)
  const spot = random.pick(names)
  random.pick(TYPENAMES)(spot, random)
}

const FAULTS: Fault[] = [
  changeSome,
  changeSome,
  changeSome,
  changeEntities,
  changeTypename,
  (answer, spots, random) => {
    answer.errors = Array.from({ length: 1 + random.below(3) }, () => errorFor(spots, random))
  },
  (answer, spots, random) => {
    answer.errors = [errorFor(spots, random)]
    answer.data = null
  },
  (answer, spots, random) => {
    answer.errors = [errorFor(spots, random)]
    delete answer.data
  },
  answer => {
    answer.data = null
  },
  answer => void delete answer.data,
  answer => {
    answer.errors = []
  },
  () => {
    throw new Error('the subgraph cannot be reached')
  },
]

/** One fault or two in about half of the answers, the same for the same question. */
export const withFaults =
  (answerer: Answerer, seed: number): Answerer =>
  async (subgraph, question) => {
    const text = await answerer(subgraph, question)
    const random = createRandom(
      seed ^ hash(`${subgraph}${question.query}${JSON.stringify(question.variables)}`),
    )
    if (random.chance(0.5)) return text
    const answer = JSON.parse(text) as Answer
    for (let count = 1 + random.below(2); count > 0; count--)
      random.pick(FAULTS)(answer, [...spotsIn(answer.data ?? {})], random)
    return JSON.stringify(answer)
  }
