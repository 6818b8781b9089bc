/**
 * Pages of a file: the operation is executed for one after the other, each under the limits and the deadline of an operation
 * of its own, when the client has read the one before.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql'
import { withDeadline } from '#core/async/deadline.ts'
import type { FairSlots } from '#core/async/fair-slots.ts'
import type { App } from '#core/context/app.ts'
import type { Sender } from '#core/streams/result-stream.ts'
import { isObject } from '#core/values/json.ts'
import { createContext } from '../operation/context.ts'
import type { SupergraphManager } from '../supergraph/version.ts'
import type { FilePlan, GivenVariables } from './plan.ts'
import type { GraphRow } from './selection.ts'

export interface PageDependencies {
  readonly app: App
  readonly manager: SupergraphManager
  /** Pages that are read at once; clients take turns. */
  readonly turns: FairSlots
}

export interface PagesRequest {
  readonly plan: FilePlan
  readonly variables: GivenVariables
  /** Gives each page a sender, whose trail records what that page reaches. */
  sender(): Sender
  /** Aborted when the client's token has ended. */
  readonly signal: AbortSignal
}

/** A page that was answered with errors: a file has no place for them. */
export class PageFailure extends Error {
  readonly errors: readonly GraphQLFormattedError[]

  constructor(errors: readonly GraphQLFormattedError[]) {
    super(errors[0]?.message ?? 'The page has no rows')
    this.errors = errors
  }
}

/** Waits before a page is tried again that was refused for now, in milliseconds. */
const AGAIN_MS = [500, 2_000, 5_000, 15_000]

const isForNow = ({ errors = [] }: FormattedExecutionResult): boolean =>
  errors.length > 0 && errors.every(({ extensions }) => extensions?.['code'] === 'SERVICE_UNAVAILABLE')

const execute = async (
  { app, manager }: PageDependencies,
  { plan, variables, sender }: PagesRequest,
  after: string | null,
): Promise<FormattedExecutionResult> => {
  const { apollo, enter } = manager.current()
  const context = createContext({ ...sender(), timeoutMs: app.config.requestTimeoutMs })
  const leave = enter()
  const given = Object.fromEntries(
    plan.variables.flatMap(name => (name in variables ? [[name, variables[name]]] : [])),
  )
  try {
    const { body } = await apollo.executeOperation(
      {
        query: plan.text,
        operationName: plan.operationName,
        variables: { ...given, [plan.after]: after },
      },
      { contextValue: { ...context, captured: { readOnly: true } } },
    )
    if (body.kind !== 'single') throw new Error('A page is one result')
    return body.singleResult as FormattedExecutionResult
  } finally {
    context.done()
    leave()
  }
}

const executeInTurn = async (dependencies: PageDependencies, request: PagesRequest, after: string | null) => {
  const { app, turns } = dependencies
  const { principal } = request.sender()
  const free = await withDeadline(app.config.requestTimeoutMs, signal =>
    turns.wait(principal.clientId, signal),
  )
  try {
    return await execute(dependencies, request, after)
  } finally {
    free()
  }
}

/** Executes a page, again after a while where the server refuses it for now; the first page is refused at once. */
const executePatiently = async (
  dependencies: PageDependencies,
  request: PagesRequest,
  after: string | null,
  isFirst: boolean,
): Promise<FormattedExecutionResult> => {
  for (const ms of isFirst ? [] : AGAIN_MS) {
    const result = await executeInTurn(dependencies, request, after)
    if (!isForNow(result)) return result
    await delay(ms, undefined, { signal: request.signal })
  }
  return executeInTurn(dependencies, request, after)
}

/** The connection in a result; null where something on the way to it is. */
const connectionIn = ({ data }: FormattedExecutionResult, path: readonly string[]): GraphRow | null =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : null), data) as GraphRow | null

/**
 * Reads all pages.
 * @throws PageFailure for a page with errors.
 */
export async function* readPages(
  dependencies: PageDependencies,
  request: PagesRequest,
): AsyncGenerator<readonly GraphRow[]> {
  const { plan, signal } = request
  let after = plan.begin
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted()
    const result = await executePatiently(dependencies, request, after, isFirst)
    if (result.errors?.length) throw new PageFailure(result.errors)
    const connection = connectionIn(result, plan.path)
    if (!connection) return
    const rows = plan.rowsOf(connection)
    if (rows.length > 0) yield rows
    const { hasNextPage, endCursor } = connection['pageInfo'] as {
      hasNextPage: boolean
      endCursor: string | null
    }
    if (!hasNextPage) return
    after = endCursor
  }
}
