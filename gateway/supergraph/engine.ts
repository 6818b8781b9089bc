/** Compiled execution as the gateway sees it; `engine/` provides it. */
import { setImmediate } from 'node:timers/promises'
import type { Operation } from '@apollo/federation-internals'
import type { buildOperationContext } from '@apollo/gateway'
import type { FetchNode, PlanNode } from '@apollo/query-planner'
import type { ApolloServerOptionsWithGateway } from '@apollo/server'
import {
  type DocumentNode,
  type FormattedExecutionResult,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import type { HttpReply, HttpRequest } from '#core/http/exchange.ts'
import type { GatewayContext } from '../operation/context.ts'
import type { ExtensionsOf } from '../operation/explain.ts'
import type { AnswerOrRepeat } from '../operation/stored-answers.ts'
import type { GatewayInternals } from '../third-party/apollo-internals.ts'
import type { Fetch } from '../transport/transport.ts'
import { parseOptions, type SpendCost } from './cost.ts'

/** Gateway as Apollo Server takes it. */
export type ServerGateway = ApolloServerOptionsWithGateway<GatewayContext>['gateway']

/** Executor as Apollo Server takes it from its gateway. */
export type GatewayExecutor = NonNullable<Awaited<ReturnType<ServerGateway['load']>>['executor']>

/** Sends a fetch of a plan to its subgraph; for a subscription, during the execution of this event. */
export type Send = (
  fetch: Fetch,
  run: { readonly event?: FormattedExecutionResult },
) => Promise<FormattedExecutionResult>

/** Chooses the way by which a fetch of a plan is sent. */
export type SendOf = (node: FetchNode) => Send

/** Input of one execution of a compiled plan. */
export interface PlanInput {
  /** Variables as the client gave them; they must fit the operation's definitions. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  readonly context: GatewayContext
  /** Result of the primary fetch of a subscription. */
  readonly event?: FormattedExecutionResult
}

/** Result of `executeQueryPlan`: errors are as they are before Apollo Server formats them. */
export interface PlanResult {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly unknown[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

/** Executes a compiled plan and shapes the response. */
export type ExecutePlan = (request: PlanInput) => Promise<PlanResult>

/** Operation that was planned. */
export interface PlannedOperation {
  readonly node: PlanNode | undefined
  readonly operation: Operation
  readonly operationContext: ReturnType<typeof buildOperationContext>
  readonly sendOf: SendOf
}

export interface FastPathOptions {
  contextOf(request: HttpRequest): GatewayContext
  /** Responds Apollo's way, in a context of its own unless one is given; gives the text of the response. */
  byApollo(request: HttpRequest, reply: HttpReply, context?: GatewayContext): Promise<string>
  /** Texts by which clients may name an operation, under Apollo Server's own keys. */
  readonly persistedQueries: { has(key: string): boolean }
  readonly spendCost: SpendCost
  readonly extensionsOf: ExtensionsOf
  readonly answerOrRepeat: AnswerOrRepeat
}

/** Compiled operations of one supergraph. */
export interface CompiledOperations {
  /** Makes an executor that compiles what can be compiled, and hands everything else to Apollo Gateway's. */
  createExecutor(byApollo: GatewayExecutor): GatewayExecutor
  /** Makes the handler of requests, which executes a known operation without Apollo Server. */
  createFastPath(options: FastPathOptions): FastPathOptions['byApollo']
  /** Compiles the only operation of a valid document before it is sent, and keeps it under its text. */
  prepare(text: string, document: DocumentNode): void
  /** Texts that were sent most. */
  mostUsed(count: number): string[]
  /** Compiles the plan of a subscription for one event; undefined where only Apollo Gateway executes it. */
  compileEvents(planned: PlannedOperation): ExecutePlan | undefined
}

/** Engine of a gateway. */
export interface GatewayEngine {
  /** Compiles operations by the planner and the schemas that Apollo Gateway made of a supergraph. */
  createOperations(parts: GatewayInternals, sendOf: SendOf): CompiledOperations
}

declare module '#core/context/engine.ts' {
  interface Engine {
    /** Loads the part of the engine that the gateway uses. */
    loadGateway(): Promise<GatewayEngine>
  }
}

interface Checks {
  readonly schema: GraphQLSchema
  /** Rules for operations beside GraphQL's own. */
  readonly validationRules: readonly ValidationRule[]
}

const readValid = ({ schema, validationRules }: Checks, text: string) => {
  try {
    const document = parse(text, parseOptions)
    const errors = validate(schema, document, [...specifiedRules, ...validationRules])
    return errors.length === 0 ? document : undefined
  } catch {
    return undefined
  }
}

/**
 * Plans and compiles these operations; invalid ones, and those that are not compiled, are left to the request that sends
 * them. Others are served between two of them: one takes some ten milliseconds.
 */
export async function prepareOperations(
  operations: CompiledOperations,
  checks: Checks,
  texts: Iterable<string>,
): Promise<void> {
  for (const text of texts) {
    const document = readValid(checks, text)
    if (document) operations.prepare(text, document)
    await setImmediate()
  }
}
