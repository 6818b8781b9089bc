/** Repeated representations are sent once; each place gets an object of its own, and the errors that belong to it. */
import type { FormattedExecutionResult } from 'graphql'
import { describe, expect, it } from 'vitest'
import type { SubgraphSource } from '#gateway/transport/transport.ts'
import { dedupeEntities } from '#gateway/transport/wrapped-source.ts'
import { ask } from '#test/support/fetches.ts'

/** A subgraph that answers each representation by its id, and keeps its requests. */
const subgraph = (errors?: FormattedExecutionResult['errors']) => {
  const requests: unknown[][] = []
  const source: SubgraphSource = {
    async process({ request }) {
      const representations = request.variables!['representations'] as { id: number }[]
      requests.push(representations)
      const entities = representations.map(({ id }) => (id < 0 ? null : { id, lines: [{ of: id }] }))
      return { data: { _entities: entities }, ...(errors && { errors }) }
    },
  }
  return { requests, source: dedupeEntities(source) }
}

const of = (...ids: number[]) => ({
  query: 'query($representations:[_Any!]!){_entities(representations:$representations){id}}',
  variables: { representations: ids.map(id => ({ __typename: 'A', id })) },
})

const entitiesOf = ({ data }: FormattedExecutionResult) =>
  data!['_entities'] as { id: number; lines: object[] }[]

describe('repeated representations', () => {
  it('DST-01 MUST be sent once and be answered at each place', async () => {
    const { requests, source } = subgraph()
    const result = await ask(source, of(1, 2, 1, -1, 1, -1))
    expect(requests).toEqual([of(1, 2, -1).variables.representations])
    expect(entitiesOf(result).map(one => one?.id)).toEqual([1, 2, 1, undefined, 1, undefined])
  })

  it('DST-02 MUST be answered with objects of their own, down to the leaves', async () => {
    const { source } = subgraph()
    const [first, second] = entitiesOf(await ask(source, of(1, 1)))
    Object.assign(first!.lines[0]!, { of: 'changed' })
    expect(second).toEqual({ id: 1, lines: [{ of: 1 }] })
  })

  it('DST-03 MUST have their errors reported at each place', async () => {
    const { source } = subgraph([
      { message: 'no lines', path: ['_entities', 0, 'lines'], extensions: { code: 'NOT_FOUND' } },
      { message: 'no such', path: ['_entities', 1] },
      { message: 'everything' },
    ])
    const { errors } = await ask(source, of(1, 2, 1))
    expect(errors).toEqual([
      { message: 'no lines', path: ['_entities', 0, 'lines'], extensions: { code: 'NOT_FOUND' } },
      { message: 'no lines', path: ['_entities', 2, 'lines'], extensions: { code: 'NOT_FOUND' } },
      { message: 'no such', path: ['_entities', 1] },
      { message: 'everything' },
    ])
  })

  it('DST-04 MUST differ when any of their fields does', async () => {
    const { requests, source } = subgraph()
    const one = { __typename: 'A', id: 1 }
    await ask(source, {
      variables: { representations: [one, { ...one, __typename: 'B' }, { ...one, more: 1 }] },
    })
    expect(requests[0]).toHaveLength(3)
  })

  it('DST-05 MUST leave failures without data as they are', async () => {
    const failed = { errors: [{ message: 'down', extensions: { code: 'SERVICE_UNAVAILABLE' } }] }
    const source = dedupeEntities({ process: async () => failed as never })
    expect(await ask(source, of(1, 1))).toEqual(failed)
  })
})

it('DST-10 MUST NOT touch a request that repeats nothing', async () => {
  const { requests, source } = subgraph()
  const call = of(1, 2, 3)
  await ask(source, call)
  expect(requests[0]).toBe(call.variables.representations)
})

describe('representations that the executor has told apart', () => {
  const told = (isRead: boolean) => {
    const { query, variables } = of(1, 2, 1)
    const representations = variables.representations.slice(0, 2)
    const byText = new Map([
      ['1', 0],
      ['2', 1],
    ])
    return {
      query,
      variables,
      distinct: { representations, indexes: [0, 1, 0], byText, isRead, family: undefined },
    }
  }

  it('DST-20 MUST be sent as they are, and an entity that is only read is given to all of its places', async () => {
    const { requests, source } = subgraph()
    const entities = entitiesOf(await ask(source, told(true)))
    expect(requests).toEqual([of(1, 2).variables.representations])
    expect(entities.map(({ id }) => id)).toEqual([1, 2, 1])
    expect(entities[2]).toBe(entities[0])
  })

  it('DST-21 MUST be answered with objects of their own where they may be changed', async () => {
    const { source } = subgraph()
    const entities = entitiesOf(await ask(source, told(false)))
    Object.assign(entities[0]!.lines[0]!, { of: 'changed' })
    expect(entities[2]).toEqual({ id: 1, lines: [{ of: 1 }] })
  })
})
