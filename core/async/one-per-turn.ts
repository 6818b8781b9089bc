/**
 * Turns of the event loop for work that holds it up: one piece of work in a turn, so that what has come meanwhile is read and
 * answered between two of them, and clients one after the other, however much each of them has sent.
 */
export class OnePerTurn {
  /** Waiting work by client; the client at the front is the next one. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isTaken = false

  /** Resolves when it is this client's turn: at once where nothing else has had this turn of the event loop. */
  take(client: string): Promise<void> {
    if (!this.#isTaken) {
      this.#occupy()
      return Promise.resolve()
    }
    return new Promise(resolve => {
      const own = this.#waiting.get(client)
      if (own) own.push(resolve)
      else this.#waiting.set(client, [resolve])
    })
  }

  #occupy(): void {
    this.#isTaken = true
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#isTaken = false
    const [first] = this.#waiting
    if (!first) return
    const [client, [resolve, ...rest]] = first
    this.#waiting.delete(client)
    if (rest.length > 0) this.#waiting.set(client, rest)
    this.#occupy()
    resolve!()
  }
}
