/** Subgraph calls within the process: the operation is parsed, validated and compiled once, then only run. */
import type { GraphQLDataSource } from '@apollo/gateway'
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  parse,
  validate,
} from 'graphql'
import type { ServiceError } from '../subgraphs/shared/errors.ts'
import { formatGraphError } from '../subgraphs/shared/graph/failures.ts'
import type { Logger } from '../subgraphs/shared/log.ts'
import type { Subgraph } from '../subgraphs/shared/subgraph.ts'
import type { GatewayContext } from './context.ts'
import { untilAborted } from './deadline.ts'

/** Far more operations than a portal has; an attacker's ad-hoc ones only push each other out. */
const MAX_OPERATIONS = 2_000

type Prepared = DocumentNode | readonly GraphQLError[]

const isErrors = (prepared: Prepared): prepared is readonly GraphQLError[] => Array.isArray(prepared)

/** Parses and validates each operation text once. */
const createPreparer = ({ schema }: Subgraph) => {
  const known = new Map<string, Prepared>()
  return (query: string): Prepared => {
    const before = known.get(query)
    if (before) return before
    const document = parse(query, { noLocation: true })
    const errors = validate(schema, document)
    const prepared = errors.length > 0 ? errors : document
    if (known.size >= MAX_OPERATIONS) known.delete(known.keys().next().value!)
    known.set(query, prepared)
    return prepared
  }
}

/** The data source of one subgraph in this process. */
export function createLocalSource(subgraph: Subgraph, log: Logger): GraphQLDataSource<GatewayContext> {
  const prepare = createPreparer(subgraph)
  /** What goes wrong is logged under the correlator of the operation. */
  const format = (errors: readonly GraphQLError[] | undefined, { caller }: GatewayContext) =>
    errors?.map(
      (error): GraphQLFormattedError => formatGraphError(error, log.child({ correlator: caller.correlator })),
    )

  const run = async (document: DocumentNode, variableValues: object | undefined, context: GatewayContext) => {
    const contextValue = context.forSubgraph(subgraph)
    const { data, errors } = await execute({
      schema: subgraph.schema,
      document,
      variableValues: variableValues as Record<string, unknown>,
      contextValue,
    })
    return { data: data as Record<string, unknown>, errors: format(errors, context) }
  }

  return {
    async process({ request, context }) {
      const prepared = prepare(request.query!)
      const gatewayContext = context as GatewayContext
      if (isErrors(prepared)) return { errors: format(prepared, gatewayContext) as GraphQLError[] }
      const answer = untilAborted(
        run(prepared, request.variables, gatewayContext),
        gatewayContext.caller.signal,
      )
      return (await answer.catch((error: ServiceError) => ({
        errors: format([new GraphQLError(error.message, { originalError: error })], gatewayContext),
      }))) as never
    },
  }
}
