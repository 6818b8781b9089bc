/**
 * The hot route: a request for a compiled operation is checked as far as its own variables and sizes go, executed and
 * written. An answer with errors, or none at all, is worded by Apollo Server, to which it is handed as executed already.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Principal } from '#core/access/principal.ts'
import type { CostlyOperation } from '#core/graph/cost.ts'
import { principalOf } from '#core/http/authenticate.ts'
import type { GatewayContext } from '#gateway/operation/context.ts'
import { contentTypeOf } from '#gateway/operation/response-type.ts'
import { findHotRequest, type HotRequest, type KnownOperations } from './hot-request.ts'
import type { PlanResult } from './operation.ts'

/** What of a supergraph's version the hot route needs. */
export interface HotVersion extends KnownOperations {
  readonly parts: { readonly schema: GraphQLSchema }
  /** @throws ServiceError for an operation that may not be executed. */
  spendCost(principal: Principal, operation: CostlyOperation): void
}

export interface HotParts<Version> {
  contextOf(request: FastifyRequest): GatewayContext
  /** Apollo's way, in a context of its own unless one is given. */
  byApollo(
    version: Version,
    request: FastifyRequest,
    reply: FastifyReply,
    context?: GatewayContext,
  ): Promise<unknown>
}

/** Whether the request may be executed. Where it may not, nothing was counted, and Apollo Server says why. */
const isAdmitted = (
  version: HotVersion,
  { compiled, variables }: HotRequest,
  principal: Principal,
): boolean => {
  const { document, operation } = compiled
  const { schema } = version.parts
  const coerced = compiled.coerce(variables)
  if (!coerced) return false
  try {
    version.spendCost(principal, {
      schema,
      document,
      operationName: operation.name?.value,
      variables,
      coerced,
    })
    return true
  } catch {
    return false
  }
}

/** In order: the data alone, with nothing to tell of them. */
const isPlain = ({ errors, extensions }: PlanResult): boolean => !errors && !extensions

/** Makes the handler of the graph's requests; the version is the one that serves when a request comes. */
export function createHotRoute<Version extends HotVersion>({ contextOf, byApollo }: HotParts<Version>) {
  const write = ({ headers }: FastifyRequest, reply: FastifyReply, { data }: PlanResult) =>
    reply
      .header('content-type', contentTypeOf(headers.accept))
      .header('cache-control', 'no-store')
      .send(`${JSON.stringify({ data })}\n`)

  const execute = async (version: Version, hot: HotRequest, request: FastifyRequest, reply: FastifyReply) => {
    const context = contextOf(request)
    const { compiled, variables } = hot
    const executed = compiled.execute({ variables, context })
    const result = await executed.catch(() => undefined)
    if (!result || !isPlain(result)) return byApollo(version, request, reply, { ...context, executed })
    context.done()
    return write(request, reply, result)
  }

  return async (version: Version, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const hot = findHotRequest(version, request)
    return hot && isAdmitted(version, hot, principalOf(request))
      ? execute(version, hot, request, reply)
      : byApollo(version, request, reply)
  }
}
