/** Errors of fetches that failed as a whole: each field of the fetch gets one of its own. */
import { describe, expect, it } from 'vitest'
import { withErrorPaths } from '#gateway/transport/error-paths.ts'
import type { SubgraphSource } from '#gateway/transport/transport.ts'
import { ask } from '#test/support/fetches.ts'

const DOWN = { message: 'activity cannot be reached', extensions: { code: 'SERVICE_UNAVAILABLE' } }

const away: SubgraphSource = { process: async () => ({ errors: [DOWN] }) as never }

const pathsOf = async (query: string, variables: Record<string, unknown> = {}) =>
  (await ask(withErrorPaths(away), { query, variables })).errors?.map(({ message, path }) => [message, path])

describe('a fetch that failed as a whole', () => {
  const query = 'query ($c: Boolean! = true) { summary { count } events @skip(if: $c) { totalCount } }'

  it('ERROR-PATHS-01 MUST have an error for each of its fields, by the defaults of variables that were not given', async () => {
    expect(await pathsOf(query)).toEqual([[DOWN.message, ['summary']]])
  })

  it('ERROR-PATHS-02 MUST have an error for each of its fields, by the variables that were given', async () => {
    expect(await pathsOf(query, { c: false })).toEqual([
      [DOWN.message, ['summary']],
      [DOWN.message, ['events']],
    ])
  })

  it('ERROR-PATHS-03 MUST have none where it selects no field of its entities', async () => {
    const entities = `query ($representations: [_Any!]!, $c: Boolean!) {
      _entities(representations: $representations) { ... on Customer { __typename totalDues @skip(if: $c) } } }`
    const representations = [{ __typename: 'Customer', customerAccountNumber: '1' }]
    expect(await pathsOf(entities, { representations, c: true })).toBeUndefined()
    expect(await pathsOf(entities, { representations, c: false })).toEqual([
      [DOWN.message, ['_entities', 0, 'totalDues']],
    ])
  })
})
