/** Runs of an operation: one answer of a query or mutation, or the events of a subscription as they come. */
import type { FormattedExecutionResult } from 'graphql'
import { resume, socket } from '../../graph/client.ts'
import { accessToken } from '../../session/session.ts'

/** An operation as it is sent. */
export interface Operation {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

export type Result = FormattedExecutionResult

/** An event of a subscription, with the time at which it came. */
export interface Received {
  readonly at: number
  readonly result: Result
}

export type RunState =
  | { readonly name: 'none' }
  | { readonly name: 'running' }
  | {
      readonly name: 'answered'
      readonly status: number
      readonly ms: number
      readonly bytes: number
      readonly result: Result
    }
  | { readonly name: 'failed'; readonly reason: string }
  | {
      readonly name: 'following'
      readonly phase: 'connecting' | 'live' | 'ended'
      /** The newest first. */
      readonly events: readonly Received[]
      readonly received: number
      /** Whether events may be missing, since the operation has no `$after` to go on behind. */
      readonly gap: boolean
      readonly reason?: string
    }

/** Events that are kept. */
const MOST = 200

/** Types and names of the operations in a text, as they can be read while it is being written. */
const operationsIn = (query: string) =>
  [...query.matchAll(/^\s*(query|mutation|subscription)\b\s*(\w*)/gm)].map(([, type, name]) => ({
    type,
    name,
  }))

/** Names of the operations in a text. */
export const operationNames = (query: string): string[] =>
  operationsIn(query).flatMap(({ name }) => (name ? [name] : []))

/** Type of an operation: `query`, `mutation` or `subscription`; of the first one in the text without a name. */
export const operationType = (query: string, name?: string): string => {
  const all = operationsIn(query)
  return (all.find(one => one.name === name) ?? all[0])?.type ?? 'query'
}

const messageOf = (fault: unknown): string => {
  if (Array.isArray(fault)) return fault.map(({ message }) => message).join('\n')
  if (fault instanceof Error) return fault.message
  const { code, reason } = fault as { code?: number; reason?: string }
  return code === undefined ? 'The connection failed' : `The connection was closed: ${code} ${reason ?? ''}`
}

/** Sends a query or mutation. @returns a function that gives it up. */
function send(operation: Operation, explain: boolean, onState: (state: RunState) => void): () => void {
  const controller = new AbortController()
  const begin = performance.now()
  const ask = async () => {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: {
        accept: 'application/graphql-response+json',
        'content-type': 'application/json',
        authorization: `Bearer ${await accessToken()}`,
        ...(explain && { 'x-explain': '1' }),
      },
      body: JSON.stringify(operation),
      signal: controller.signal,
    })
    const text = await response.text()
    const bytes = new Blob([text]).size
    const ms = performance.now() - begin
    onState({ name: 'answered', status: response.status, ms, bytes, result: JSON.parse(text) })
  }
  ask().catch(error => {
    if (!controller.signal.aborted) onState({ name: 'failed', reason: messageOf(error) })
  })
  return () => {
    controller.abort()
    onState({ name: 'none' })
  }
}

/** Follows a subscription, behind its last event after a cut where it has the variable `$after` and asks for cursors. */
function follow(operation: Operation, onState: (state: RunState) => void): () => void {
  let state: Extract<RunState, { name: 'following' }> = {
    name: 'following',
    phase: 'connecting',
    events: [],
    received: 0,
    gap: false,
  }
  const change = (changes: Partial<typeof state>) => {
    state = { ...state, ...changes }
    onState(state)
  }
  onState(state)
  const results = {
    next: (result: Result) =>
      change({
        phase: 'live',
        events: [{ at: Date.now(), result }, ...state.events].slice(0, MOST),
        received: state.received + 1,
      }),
    error: (fault: unknown) => change({ phase: 'ended', reason: messageOf(fault) }),
    complete: () => change({ phase: 'ended' }),
  }
  const watcher = {
    connected: () => change({ phase: 'live' }),
    lost: () => change({ phase: 'connecting' }),
    completed() {},
  }
  const { query } = operation
  const isResumable = /\$after\s*:/.test(query) && /\bcursor\b/.test(query)
  const payload = { ...operation, variables: { ...operation.variables } }
  const unlisten = isResumable ? () => {} : socket.on('connected', watcher.connected)
  const stop = isResumable
    ? resume(payload, results, watcher)
    : socket.subscribe(payload, {
        ...results,
        // Begun anew it would miss what happened in between, and not say so.
        error: fault => change({ phase: 'ended', gap: true, reason: messageOf(fault) }),
      })
  return () => {
    unlisten()
    stop()
    change({ phase: 'ended' })
  }
}

/**
 * Begins a run.
 * @param explain whether to ask for the plan and its timing.
 * @returns a function that ends it.
 */
export function run(operation: Operation, explain: boolean, onState: (state: RunState) => void): () => void {
  onState({ name: 'running' })
  return operationType(operation.query, operation.operationName) === 'subscription'
    ? follow(operation, onState)
    : send(operation, explain, onState)
}

/** Variables of a draft, with a new text for each `{new}`. @throws SyntaxError where they are no JSON object. */
export function readVariables(text: string): Record<string, unknown> {
  const fresh = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`
  const value = JSON.parse(text.trim().replaceAll('{new}', fresh) || '{}')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SyntaxError('Variables are one JSON object')
  return value
}
