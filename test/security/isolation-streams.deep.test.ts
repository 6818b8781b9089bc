/** Subscriptions that begin at another's cursors and end with one's own event. */
import { isRequiredArgument } from 'graphql'
import { afterAll, beforeAll } from 'vitest'
import { FIXTURES } from '../support/fixtures/all.ts'
import { createRest } from '../support/rest.ts'
import { subscribeSse } from '../support/subscribe.ts'
import { selectionsOf } from './support/attempts.ts'
import { auditEach } from './support/audit-each.ts'
import { LONG } from './support/form.ts'
import { type Intruder, type IsolationStage, openIsolation } from './support/isolation-stage.ts'
import { tryAll } from './support/leaks.ts'
import { fieldsOf } from './support/paths.ts'
import { supergraphSchema } from './support/schemas.ts'

const schema = supergraphSchema()
/** A request by an id of its own shows nothing of another's log: a batch (`test/subgraphs/sms-batch.long.test.ts`). */
const FIELDS = fieldsOf(schema.getSubscriptionType()!).filter(({ args }) => !args.some(isRequiredArgument))
let stage: IsolationStage
let own: string[]
beforeAll(async () => {
  stage = await openIsolation()
  own = await postOwn(stage.intruders[0]!.token)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

/** Ends what is replayed: whoever has come to its own event has been shown everything before it. */
const postOwn = async (token: string): Promise<string[]> => {
  const ids: string[] = []
  for (const { path, idField, body } of FIXTURES) {
    const response = await createRest(stage.stack.address)('POST', path, { token, body: body() })
    ids.push(response.body[idField])
  }
  await stage.stack.settled()
  return ids
}

/** Everything from a cursor up to the first event of one's own. */
const replay = async (query: string, token: string, own: readonly string[]): Promise<string> => {
  using stream = subscribeSse(`${stage.stack.address}/graphql/stream`, token, query)
  let text = ''
  const next = () =>
    stream.next().catch(error => {
      throw new Error(`${error.message} after ${text.slice(0, 500)}`)
    })
  while (!own.some(id => text.includes(id))) text += JSON.stringify(await next())
  return text
}

const shown = (name: string) => {
  const field = FIELDS.find(one => one.name === name)!
  return selectionsOf(schema, field)
}

const withOwn = (one: Intruder): Intruder => ({ ...one, countsNothing: false })

auditEach(
  'SECURITY-ISOLATION',
  FIELDS.map(({ name }) => name),
  [
    [
      '30',
      "MUST replay nothing of another's, from whichever cursor",
      async name => {
        const intruder = withOwn(stage.intruders[0]!)
        // The oldest comes before everything that the owner did.
        const cursors = LONG ? stage.eventCursors : stage.eventCursors.slice(-1)
        const queries = cursors.flatMap(after =>
          shown(name).map(
            selection => `subscription { ${name}(after: ${JSON.stringify(after)})${selection} }`,
          ),
        )
        await tryAll(name, intruder, queries, (query, token) => replay(query, token, own))
      },
    ],
  ],
)
