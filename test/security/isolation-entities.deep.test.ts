/** Another's entities looked up by key at each subgraph's own port, past the gateway. */
import { afterAll, beforeAll } from 'vitest'
import { SERVICES } from '#subgraphs/names.ts'
import { auditEach } from './support/audit-each.ts'
import { type Entity, entitiesOf } from './support/entity-cases.ts'
import {
  FOREIGN_ACCOUNT,
  FOREIGN_NUMBER,
  type IsolationStage,
  openIsolation,
} from './support/isolation-stage.ts'
import { tryAll } from './support/leaks.ts'
import { selectAll } from './support/paths.ts'
import { subgraphSchema } from './support/schemas.ts'

const NAMES = SERVICES.map(({ name }) => name)
let stage: IsolationStage
beforeAll(async () => {
  stage = await openIsolation()
})
afterAll(() => stage?.[Symbol.asyncDispose]())

interface LookUp {
  readonly query: string
  readonly variables: object
}

const keysOf = ({ key }: Entity): readonly string[] =>
  ({ mobileNumber: [`+${FOREIGN_NUMBER}`], customerAccountNumber: [FOREIGN_ACCOUNT] })[key] ?? stage.ids

const lookUpsIn = (name: string): LookUp[] => {
  const schema = subgraphSchema(name)
  return entitiesOf(schema).flatMap(entity => {
    const selection = selectAll(schema, schema.getType(entity.typename) as never, 3)
    const query = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on ${entity.typename}${selection} } }`
    return keysOf(entity).map(value => ({
      query,
      variables: { r: [{ __typename: entity.typename, [entity.key]: value }] },
    }))
  })
}

const sendTo = (name: string) => async (lookUp: LookUp, token: string) => {
  const response = await fetch(`${stage.subgraph(name).address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(lookUp),
  })
  return response.text()
}

auditEach('SECURITY-ISOLATION', NAMES, [
  ...(['partner-2', 'bound', 'bound-portal'] as const).map(
    (intruder, index) =>
      [
        `2${index}`,
        `MUST show ${intruder} nothing of another's entities`,
        (name: string) => {
          const found = stage.intruders.find(one => one.name === intruder)!
          return tryAll(`_entities of ${name}`, found, lookUpsIn(name), sendTo(name))
        },
      ] as const,
  ),
])
