/**
 * Book of the simulator: the orders that arrived, with their outcomes. Each change is on the disk before it is reported, so
 * that a simulator that was killed finds the book as it reported it.
 */
import { type FileHandle, mkdir, open, readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'

export type Outcome = 'done' | 'declined' | 'invalid' | 'cancelled' | 'reversed' | 'pending' | 'reserved'

/** Order as it was sent, in the fields that `schema/charging.openapi.yaml` names. */
export type OrderBody = Readonly<Record<string, string>>

export interface Entry {
  readonly transactionId: string
  readonly order: OrderBody
  readonly outcome: Outcome
  readonly reason?: string
  /** Number of executions: 1 once the order is done; more would be a fault of this simulator. */
  readonly carriedOut: number
  /** Owner on whom it was booked, where a fault chose another than the order's. */
  readonly bookedOn?: 'accountNumber'
  /** Time at which a pending order is done, in milliseconds since 1970, and the number of callbacks then. */
  readonly due?: { readonly at: number; readonly callbacks: number }
}

const FILE = 'orders.ndjson'

/**
 * Reads the entries of a file, the last of each order. A line that a kill cut short is left out; the result says where
 * it begins.
 */
const parse = (bytes: Buffer): { entries: Map<string, Entry>; end: number } => {
  const end = bytes.lastIndexOf('\n') + 1
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean)
  return { entries: new Map(lines.map(line => [JSON.parse(line).transactionId, JSON.parse(line)])), end }
}

const openFile = async (folder: string) => {
  await mkdir(folder, { recursive: true })
  const path = join(folder, FILE)
  // No file is an empty book. After any other fault the book must not be taken for empty, and cut.
  const bytes = await readFile(path).catch(error => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const { entries, end } = parse(bytes)
  const file = await open(path, 'a')
  await truncate(path, end)
  return { entries, file }
}

interface Line {
  readonly text: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export class Book {
  readonly #entries: Map<string, Entry>
  readonly #file: FileHandle | undefined
  /** Last change of each order that is in flight: changes of one order follow each other. */
  readonly #turns = new Map<string, Promise<unknown>>()
  readonly #lines: Line[] = []
  #writing: Promise<void> | undefined

  private constructor(entries: Map<string, Entry>, file: FileHandle | undefined) {
    this.#entries = entries
    this.#file = file
  }

  /**
   * Opens the book.
   * @param folder of the file; `memory:` keeps nothing.
   */
  static async open(folder: string): Promise<Book> {
    if (folder === 'memory:') return new Book(new Map(), undefined)
    const { entries, file } = await openFile(folder)
    return new Book(entries, file)
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id)
  }

  list(): Entry[] {
    return [...this.#entries.values()]
  }

  /**
   * Changes an order; one for which `change` returns the same entry stays as it is. Resolves once the change is on the
   * disk.
   */
  update(id: string, change: (before: Entry | undefined) => Entry): Promise<Entry> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(async () => {
      const before = this.#entries.get(id)
      const after = change(before)
      if (after === before) return after
      await this.#append(`${JSON.stringify(after)}\n`)
      this.#entries.set(id, after)
      return after
    })
    const over = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#turns.get(id) === over) this.#turns.delete(id)
      })
    this.#turns.set(id, over)
    return turn
  }

  async close(): Promise<void> {
    await Promise.all(this.#turns.values())
    await this.#writing
    await this.#file?.close()
  }

  #append(text: string): Promise<void> {
    if (!this.#file) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#lines.push({ text, resolve, reject })
      this.#writing ??= this.#write()
    })
  }

  /** Writes to the disk; lines that come during one write go with the next. */
  async #write(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines.splice(0)
      try {
        await this.#file!.appendFile(lines.map(({ text }) => text).join(''))
        await this.#file!.datasync()
        for (const { resolve } of lines) resolve()
      } catch (error) {
        for (const { reject } of lines) reject(error)
      }
    }
    this.#writing = undefined
  }
}
