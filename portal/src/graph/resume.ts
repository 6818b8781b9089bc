/**
 * Subscriptions over WebSocket that go on behind the last event after a cut: nothing is missed, nothing comes twice
 * (docs/portal.md, "Following in React").
 */
import type { FormattedExecutionResult } from 'graphql'
import type { Client, Sink, SubscribePayload } from 'graphql-ws'

/** An event of the log, whose cursor the next subscription begins behind. */
export interface GraphEvent {
  readonly cursor: string
  readonly eventTime: string
}

/** Listener to the connection of one subscription; errors are among its results. */
export interface Watcher {
  connected(): void
  lost(): void
  completed(): void
}

const RETRY_MS = 1_000

/** Close codes that connecting again does not mend: a bad message, no token, a wrong protocol. */
const FINAL = [4400, 4401, 4406, 4409, 4429]
const PASSING = ['SERVICE_UNAVAILABLE', 'UNAUTHORIZED']

interface Coded {
  readonly extensions?: { readonly code?: string }
}

const isPassing = (fault: unknown): boolean => {
  if (Array.isArray(fault))
    return fault.some(({ extensions }: Coded) => PASSING.includes(extensions?.code ?? ''))
  const { code, type } = fault as { code?: unknown; type?: unknown }
  if (typeof code === 'number') return !FINAL.includes(code)
  // A WebSocket whose network has failed says no more than that.
  return type === 'error'
}

/** The event in the data of a result. */
export const eventIn = <Event extends GraphEvent = GraphEvent>(data: unknown): Event | undefined =>
  Object.values(data ?? {}).find(value => typeof value?.cursor === 'string')

/** Makes subscriptions over a client resume; each call begins one, and returns the function that ends it. */
export function resuming(client: Client) {
  let isOpen = false
  client.on('connected', () => {
    isOpen = true
  })
  client.on('closed', () => {
    isOpen = false
  })
  return (
    { variables, ...request }: SubscribePayload,
    results: Sink<FormattedExecutionResult>,
    watcher?: Watcher,
  ): (() => void) => {
    let after = variables?.['after']
    let stop = () => {}
    const start = () => {
      let isOver = false
      const finish = (then = () => {}) => {
        if (isOver) return
        isOver = true
        unlisten()
        dispose()
        then()
      }
      const fail = (fault: unknown) =>
        finish(() => {
          if (isPassing(fault)) {
            const again = setTimeout(start, RETRY_MS)
            stop = () => clearTimeout(again)
            watcher?.lost()
          } else if (Array.isArray(fault)) {
            results.next({ errors: fault })
            results.complete()
          } else {
            const { code, reason } = fault as CloseEvent
            results.error(fault instanceof Error ? fault : new Error(`Closed with ${code}: ${reason}`))
          }
        })
      const unlisten = client.on('connected', () => watcher?.connected())
      if (isOpen) watcher?.connected()
      const dispose = client.subscribe<Record<string, unknown>>(
        { ...request, variables: { ...variables, after } },
        {
          next(result) {
            const event = eventIn(result.data)
            if (isOver) return
            if (!event) return fail(result.errors ?? new Error('Ask for the cursor of each event'))
            after = event.cursor
            results.next(result as FormattedExecutionResult)
          },
          error: fail,
          complete: () =>
            finish(() => {
              watcher?.completed()
              results.complete()
            }),
        },
      )
      stop = finish
    }
    start()
    return () => stop()
  }
}
