/** The history on its way into a file: a line of JSON for each thing that happens. */

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import type { AnswerLine, CallLine, Line } from './lines.ts'

/** A call before it is numbered. */
export type NewCall = Omit<CallLine, 't' | 'n' | 'at'>
export type NewAnswer = Omit<AnswerLine, 't' | 'n' | 'at'>

export class Recorder {
  readonly file: string
  readonly #stream: WriteStream
  #calls = 0

  /** @param file is written anew. */
  constructor(file: string) {
    this.file = file
    this.#stream = createWriteStream(file)
  }

  write(line: Line): void {
    this.#stream.write(`${JSON.stringify(line)}\n`)
  }

  /** Notes a call before it is sent. @returns its number. */
  begin(call: NewCall): number {
    const n = ++this.#calls
    this.write({ t: 'call', n, at: Date.now(), ...call })
    return n
  }

  end(n: number, answer: NewAnswer): void {
    this.write({ t: 'answer', n, at: Date.now(), ...answer })
  }

  get calls(): number {
    return this.#calls
  }

  /** Resolves when every line is in the file, also where it was closed before. */
  async close(): Promise<void> {
    if (this.#stream.writableFinished) return
    this.#stream.end()
    await once(this.#stream, 'finish')
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
