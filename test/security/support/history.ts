/** Transactions that a client has posted, one of each kind, and the cursors under which it sees them. */
import { FIXTURES } from '../../support/fixtures/all.ts'
import { createGraph } from '../../support/graph.ts'
import { createRest } from '../../support/rest.ts'

export interface History {
  readonly ids: string[]
  readonly cursors: string[]
}

const CURSORS = `{ timeline { edges { cursor } } events { edges { cursor } } ${FIXTURES.map(({ list }) => `${list} { edges { cursor } }`).join(' ')} }`

/** Posts one of each kind; `settled` is waited for before the cursors are read. */
export async function postHistory(
  address: string,
  token: string,
  settled: () => Promise<void>,
): Promise<History> {
  const ids: string[] = []
  for (const { path, idField, body } of FIXTURES) {
    const created = await createRest(address)('POST', path, { token, body: body() })
    ids.push(created.body[idField])
  }
  await settled()
  const { data } = await createGraph(address)(CURSORS, { token })
  const pages = Object.values(data) as { edges: { cursor: string }[] }[]
  return { ids, cursors: [...new Set(pages.flatMap(({ edges }) => edges.map(({ cursor }) => cursor)))] }
}
