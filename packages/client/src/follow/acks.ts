/** Acknowledgements: the kept cursor moves on past events that were all dealt with, in whatever order that was said. */

/** Store of cursors, one for each name: what was acknowledged outlasts the process. */
export interface CursorStore {
  /** The cursor that was kept last; undefined where there is none. */
  get(name: string): Promise<string | undefined>
  /** Keeps a cursor; resolves once it would be there again after a restart. */
  set(name: string, cursor: string): Promise<void>
}

interface Pending {
  readonly cursor: string
  isDone: boolean
}

export class Acks {
  readonly #keep: (cursor: string) => Promise<void>
  readonly #pending: Pending[] = []
  #latest: string | undefined
  #writing: Promise<void> | undefined

  /** @param keep writes a cursor. */
  constructor(keep: (cursor: string) => Promise<void>) {
    this.#keep = keep
  }

  /** Number of events from the first that was not acknowledged on. */
  get open(): number {
    return this.#pending.length
  }

  /**
   * Notes an event that is handed out.
   * @returns its `ack`, which resolves once the cursor is kept; at once where an earlier event is still to be acknowledged.
   */
  add(cursor: string): () => Promise<void> {
    const one: Pending = { cursor, isDone: false }
    this.#pending.push(one)
    return () => {
      one.isDone = true
      return this.#advance()
    }
  }

  async #advance(): Promise<void> {
    let reached: string | undefined
    while (this.#pending[0]?.isDone) reached = this.#pending.shift()!.cursor
    if (reached === undefined) return
    this.#latest = reached
    // Cursors that come while one is being written are written together.
    while (this.#writing) await this.#writing.catch(() => undefined)
    if (this.#latest === undefined) return
    const cursor = this.#latest
    this.#latest = undefined
    this.#writing = this.#keep(cursor).finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }
}
