/** What has come over a connection and was not taken yet; the connection is paused while it is too much. */
import type { FormattedExecutionResult } from 'graphql'
import type { WebSocket } from 'ws'
import { DONE } from '#core/async/stream.ts'

/** So many results wait for whoever takes them; then the connection is not read until they are taken. */
const MAX_WAITING = 64

export class Inbox {
  readonly #waiting: FormattedExecutionResult[] = []
  #end: { readonly error?: Error } | undefined
  #wake: () => void = () => undefined
  /** Where results come from, as soon as there is anything. */
  socket: WebSocket | undefined

  put(result: FormattedExecutionResult): void {
    this.#waiting.push(result)
    if (this.#waiting.length >= MAX_WAITING) this.socket?.pause()
    this.#wake()
  }

  /** What has come is still taken; then there is nothing more, for this reason if there is one. */
  end(error?: Error): void {
    this.#end ??= { error }
    this.#wake()
  }

  /** A paused connection could not even be closed. */
  resume(): void {
    if (this.socket?.isPaused) this.socket.resume()
  }

  async take(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    for (;;) {
      const value = this.#waiting.shift()
      if (this.#waiting.length === 0) this.resume()
      if (value) return { done: false, value }
      if (this.#end?.error) throw this.#end.error
      if (this.#end) return DONE
      await new Promise<void>(wake => (this.#wake = wake))
    }
  }
}
