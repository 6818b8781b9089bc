/** Acknowledgements: the kept cursor moves past events once all before them are acknowledged, in whatever order that happens. */

/** Store of cursors, one for each name. A cursor outlasts the process, and so does what was acknowledged. */
export interface CursorStore {
  /** The cursor that was kept last; undefined where there is none. */
  get(name: string): Promise<string | undefined>
  /** Keeps a cursor; resolves once it would be there again after a restart. */
  set(name: string, cursor: string): Promise<void>
}

interface Pending {
  readonly cursor: string
  isAcknowledged: boolean
  /** Whether all events before it are acknowledged too. */
  isPassed: boolean
}

/** Events that were handed out, and the cursor up to which all of them are acknowledged. */
export class Acks {
  readonly #keep: (cursor: string) => Promise<void>
  readonly #pending: Pending[] = []
  /** Cursor that is still to be kept: one whose writing failed, too. */
  #unkept: string | undefined
  #writing: Promise<void> | undefined

  /** @param keep writes a cursor. */
  constructor(keep: (cursor: string) => Promise<void>) {
    this.#keep = keep
  }

  /** Number of events from the first unacknowledged one on. */
  get open(): number {
    return this.#pending.length
  }

  /**
   * Records an event that is handed out.
   * @returns its `ack`. It resolves once the cursor is kept, or at once where an earlier event is still to be acknowledged.
   * Where the cursor could not be kept it rejects, and may be called again.
   */
  add(cursor: string): () => Promise<void> {
    const one: Pending = { cursor, isAcknowledged: false, isPassed: false }
    this.#pending.push(one)
    return () => {
      one.isAcknowledged = true
      return this.#advance(one)
    }
  }

  async #advance(acknowledged: Pending): Promise<void> {
    while (this.#pending[0]?.isAcknowledged) {
      const passed = this.#pending.shift()!
      passed.isPassed = true
      this.#unkept = passed.cursor
    }
    if (!acknowledged.isPassed) return
    // Cursors that come while one is being written are written together.
    while (this.#writing) await this.#writing.catch(() => undefined)
    if (this.#unkept === undefined) return
    this.#writing = this.#write(this.#unkept).finally(() => {
      this.#writing = undefined
    })
    await this.#writing
  }

  async #write(cursor: string): Promise<void> {
    this.#unkept = undefined
    try {
      await this.#keep(cursor)
    } catch (error) {
      // The acknowledgements that wait for this one try again: none may resolve for a cursor that was not kept.
      this.#unkept ??= cursor
      throw error
    }
  }
}
