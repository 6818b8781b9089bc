/** Executes the largest operation of each suite of the federation audit, by Apollo Gateway's executor or compiled. */

import { ApolloGateway } from '@apollo/gateway'
import { type FormattedExecutionResult, parse } from 'graphql'
import { forbidTelemetry } from '#core/config/config.ts'
import { createLog } from '#core/observability/log.ts'
import { createOperations } from '#engine/gateway/operations.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { compose } from '#gateway/supergraph/document.ts'
import { toDataSource } from '#gateway/third-party/apollo-gateway.ts'
import { internalsOf } from '#gateway/third-party/apollo-internals.ts'
import type { Fetch } from '#gateway/transport/transport.ts'
import { type AuditOperation, readSuite, SUITE_NAMES, type Suite } from '#test/engine/gateway/audit/suites.ts'
import { serveCalls } from './worker.ts'

forbidTelemetry()

/** The side that a process is. */
export type AuditSide = 'stock' | 'compiled'

/** Operations executed in a span of time. */
export interface AuditRun {
  readonly operations: number
  readonly cpuSeconds: number
}

type Execute = () => Promise<FormattedExecutionResult>

/** Queries that a plan fetches something for, the longest text first. */
const largestOf = ({ operations }: Suite): AuditOperation | undefined =>
  operations
    .filter(({ fetches, query }) => fetches.length > 0 && !query.includes('mutation'))
    .toSorted((a, b) => b.query.length - a.query.length)[0]

/** Subgraphs in memory: the recorded answer, new for each fetch. Where one text was answered twice, by its variables. */
const createSource = ({ fetches }: AuditOperation) => {
  const byQuery = Map.groupBy(fetches, ({ query }) => query)
  return {
    async process({ request: { query, variables } }: Fetch): Promise<FormattedExecutionResult> {
      const [first, ...more] = byQuery.get(query!)!
      if (more.length === 0) return JSON.parse(first!.answer)
      const sent = JSON.stringify(variables)
      return JSON.parse([first!, ...more].find(one => JSON.stringify(one.variables) === sent)!.answer)
    },
  }
}

const log = createLog('silent')

const open = async (suite: Suite, operation: AuditOperation, side: AuditSide): Promise<Execute> => {
  const source = createSource(operation)
  const gateway = new ApolloGateway({
    supergraphSdl: compose(suite.documents),
    buildService: () => toDataSource(source),
    logger: log,
  })
  const { executor } = await gateway.load()
  const document = parse(operation.query)
  const context = {} as GatewayContext
  if (side === 'stock') {
    const known = { document, source: operation.query, queryHash: operation.query, metrics: {}, logger: log }
    return () => {
      const request = { query: operation.query }
      return (executor as (given: object) => Promise<FormattedExecutionResult>)({
        ...known,
        request,
        context,
      })
    }
  }
  const operations = createOperations(internalsOf(gateway), () => fetch => source.process(fetch))
  const compiled = operations.compile(document, undefined)
  if (!compiled) throw new Error(`${suite.name} is not compiled`)
  return () => {
    compiled.coerce({})
    return compiled.execute({ variables: undefined, context }) as Promise<FormattedExecutionResult>
  }
}

const opened: Execute[] = []

const answerOf = async (execute: Execute) => {
  const { data, errors } = await execute()
  return JSON.stringify({ data, errors: errors?.map(({ message }) => message) })
}

serveCalls({
  /** The answer to each of them. */
  async open(side) {
    for (const suite of SUITE_NAMES.map(readSuite)) {
      const operation = largestOf(suite)
      if (operation) opened.push(await open(suite, operation, side as AuditSide))
    }
    return Promise.all(opened.map(answerOf))
  },
  async run(seconds): Promise<AuditRun> {
    const until = performance.now() + 1_000 * (seconds as number)
    const before = process.cpuUsage()
    let operations = 0
    while (performance.now() < until) {
      for (const execute of opened) JSON.stringify((await execute()).data)
      operations += opened.length
    }
    const { user, system } = process.cpuUsage(before)
    return { operations, cpuSeconds: (user + system) / 1_000_000 }
  },
})
