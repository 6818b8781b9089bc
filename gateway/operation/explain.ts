/**
 * Explanations of operations, for portals and analysts that ask for one: plan, fetches, statements, cost and cache hits as
 * `extensions.explain`. The data of a response is the same with and without it.
 */

import { operationFromDocument } from '@apollo/federation-internals'
import type { PlanNode } from '@apollo/query-planner'
import type { ApolloServerPlugin } from '@apollo/server'
import type { DocumentNode } from 'graphql'
import type { App } from '#core/context/app.ts'
import { principalOf } from '#core/http/authenticate.ts'
import type { HttpRequest } from '#core/http/exchange.ts'
import { EXPLAIN, EXPLAINED, Explanation, roundedMs } from '#core/observability/explanation.ts'
import { currentFacts, type RequestFacts } from '#core/observability/request-facts.ts'
import { withoutDefer } from '../deferral/directive.ts'
import type { GatewayInternals } from '../third-party/apollo-internals.ts'
import type { GatewayContext } from './context.ts'
import { plannedNames } from './rewrites.ts'

/** Header of a response with the cost of its operation. */
export const OPERATION_COST = 'x-operation-cost'

const ROLES: ReadonlySet<string> = new Set(['portal', 'analyst'])

/**
 * Begins the explanation of a request that wants one: of a portal or an analyst, with demo data or within its quota. Anybody
 * else is answered as without the header.
 */
export function beginExplanation({ config, usage }: App, request: HttpRequest): void {
  if (request.headers[EXPLAIN] !== '1' || !request.facts) return
  const principal = principalOf(request)
  if (!ROLES.has(principal.role)) return
  if (config.demo || usage.takeExplanation(principal)) request.facts.explanation ??= new Explanation()
}

/** Node of a plan for readers: what is asked of which subgraph, for which place in the response. */
const shownNode = (node: PlanNode): object => {
  switch (node.kind) {
    case 'Fetch':
      return {
        kind: node.kind,
        subgraph: node.serviceName,
        isOfEntities: node.requires !== undefined,
        operation: node.operation,
      }
    case 'Flatten':
      return { kind: node.kind, path: node.path, node: shownNode(node.node) }
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map(shownNode) }
    case 'Condition':
      return {
        kind: node.kind,
        condition: node.condition,
        ifTrue: node.ifClause && shownNode(node.ifClause),
        ifFalse: node.elseClause && shownNode(node.elseClause),
      }
    case 'Defer':
      return {
        kind: node.kind,
        primary: node.primary.node && shownNode(node.primary.node),
        deferred: node.deferred.map(one => ({ path: one.queryPath, node: one.node && shownNode(one.node) })),
      }
  }
}

/** Operation of a request, once it is known. */
interface ExplainedOperation {
  readonly document: DocumentNode
  readonly operationName?: string | undefined
}

/** Makes the explanation of a request whose operation was executed; undefined where none was begun. */
export type Explain = (facts: RequestFacts | undefined, operation: ExplainedOperation) => object | undefined

/** Makes explanations by the planner, which plans the same operation in the same way each time. */
export function createExplain(parts: () => GatewayInternals): Explain {
  const plans = new WeakMap<DocumentNode, Map<string | undefined, object | null>>()
  const plan = ({ document, operationName }: ExplainedOperation): object | null => {
    const { planner, api, planning } = parts()
    try {
      const operation = operationFromDocument(api, plannedNames(document).document, { operationName })
      const { node } = planner.buildQueryPlan(operation, planning)
      return node && node.kind !== 'Subscription' ? shownNode(node) : null
    } catch {
      // Not valid, or planned by another text; what was fetched is shown all the same.
      return null
    }
  }
  const planOf = (operation: ExplainedOperation): object | null => {
    const ofDocument = plans.get(operation.document) ?? new Map<string | undefined, object | null>()
    const found = ofDocument.get(operation.operationName) ?? plan(operation)
    plans.set(operation.document, ofDocument.set(operation.operationName, found))
    return found
  }
  return (facts, operation) => {
    if (!facts?.explanation) return undefined
    const { execution, cost, databaseMs, subgraphMs, at, explanation } = facts
    const { planMs, isParsed, fetches } = explanation
    return {
      execution: execution ?? null,
      cost: cost ?? null,
      caches: { document: !isParsed, plan: execution !== undefined && planMs === undefined },
      ms: Date.now() - at,
      planMs: planMs === undefined ? null : roundedMs(planMs),
      databaseMs: roundedMs(databaseMs),
      subgraphMs: roundedMs(subgraphMs),
      plan: planOf(operation),
      fetches,
    }
  }
}

/** Has a planner's time for an operation stand in its explanation. */
export function timePlanning(planner: GatewayInternals['planner']): void {
  const build = planner.buildQueryPlan.bind(planner)
  planner.buildQueryPlan = (operation, options) => {
    const explanation = currentFacts()?.explanation
    const began = performance.now()
    const plan = build(operation, options)
    if (explanation) explanation.planMs = performance.now() - began
    return plan
  }
}

/** Member of `extensions` with the parts of the schema that an operation uses and that go some day. */
const DEPRECATIONS = 'deprecations'

/**
 * Makes the function that gives the extensions of a response: what its client has to change, and what it wants explained.
 * Where clients may not read the schema, they are not told of it either.
 */
export const createExtensions =
  ({ introspection }: Pick<App['config'], 'introspection'>, explain: Explain) =>
  (facts: RequestFacts | undefined, operation: ExplainedOperation): Record<string, unknown> | undefined => {
    const explained = explain(facts, operation)
    const deprecations = introspection && facts?.deprecations.length ? facts.deprecations : undefined
    if (!explained && !deprecations) return undefined
    return {
      ...(deprecations && { [DEPRECATIONS]: deprecations }),
      ...(explained && { [EXPLAINED]: explained }),
    }
  }

/** Gives the extensions of a response; undefined without any. */
export type ExtensionsOf = ReturnType<typeof createExtensions>

/** Adds cost, deprecations and explanation to responses of Apollo Server. */
export const explainResponses = (extensionsOf: ExtensionsOf): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart({ contextValue: { facts, delivery } }) {
    return {
      async parsingDidStart() {
        if (facts?.explanation) facts.explanation.isParsed = true
      },
      async willSendResponse({ response: { body, http }, document: sent, request: { operationName } }) {
        if (facts?.cost !== undefined) http.headers.set(OPERATION_COST, String(facts.cost))
        if (body.kind !== 'single' || !sent) return
        const document = delivery?.parts ? sent : withoutDefer(sent)
        const extensions = extensionsOf(facts, { document, operationName })
        if (!extensions) return
        body.singleResult.extensions = { ...body.singleResult.extensions, ...extensions }
      },
    }
  },
})
