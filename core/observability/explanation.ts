/**
 * Explanation of one operation of the graph, collected while it is executed: its fetches, and the statements of each. Nothing
 * is executed in another way for it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Header of a client that wants its operation explained, and of a gateway to the services that it asks for it. */
export const EXPLAIN = 'x-explain'

/** Member of a response's extensions: of the gateway's with the explanation, of a service's with its statements. */
export const EXPLAINED = 'explain'

/** Statement that was sent for an operation; its text has parameters in place of values. */
export interface ExplainedStatement {
  readonly text: string
  /** Rows that it read or wrote. */
  readonly rows: number
  /** Milliseconds until its rows were there, the wait for a connection included. */
  readonly ms: number
  /** Requests that shared it; 1 where it was sent for this one alone. */
  readonly requests: number
}

/** Receiver of statements. */
export interface StatementSink {
  record(statement: ExplainedStatement): void
}

const sinks = new AsyncLocalStorage<StatementSink | undefined>()

/** Receiver of the statements that are sent now; undefined where nothing is explained, which is nearly always. */
export const currentSink = (): StatementSink | undefined => sinks.getStore()

/** Runs work whose statements a receiver gets. */
export const withSink = <T>(sink: StatementSink, work: () => T): T => sinks.run(sink, work)

/** Rounds milliseconds for people. */
export const roundedMs = (ms: number): number => Math.round(ms * 100) / 100

const MAX_TEXT = 4_096
const SPACES = /\s+/g

/** Records a statement that has just ended. @param began by `performance.now()`. */
export const recordStatement = (sink: StatementSink, text: string, rows: number, began: number): void =>
  sink.record({
    text: text.replace(SPACES, ' ').trim().slice(0, MAX_TEXT),
    rows,
    ms: roundedMs(performance.now() - began),
    requests: 1,
  })

/** Makes the receiver of statements that several requests share: each of the explained ones gets them. */
export const sharedSink = (explained: ReadonlySet<StatementSink>, requests: number): StatementSink => ({
  record(statement) {
    for (const sink of explained) sink.record({ ...statement, requests })
  },
})

/** Most statements of one fetch: an operation has a few dozen. */
const MAX_STATEMENTS = 200

/** Statements of one fetch. */
export class CollectedStatements implements StatementSink {
  readonly statements: ExplainedStatement[] = []
  /** Statements that were too many to be kept. */
  omitted = 0

  record(statement: ExplainedStatement): void {
    if (this.statements.length < MAX_STATEMENTS) this.statements.push(statement)
    else this.omitted += 1
  }
}

/** Fetch of a plan as it is sent. */
interface SentFetch {
  readonly subgraph: string
  /** Place in the response that it fills; empty for root fields. */
  readonly path: readonly (string | number)[]
  readonly operation: string
  /** Entities that it is for; absent for root fields. */
  readonly entities?: number | undefined
}

/** Fetch of a plan, with what became of it. */
export class ExplainedFetch extends CollectedStatements {
  readonly #sent: SentFetch
  readonly #began = performance.now()
  #ms = 0
  #errors = 0

  constructor(sent: SentFetch) {
    super()
    this.#sent = sent
  }

  end(errors: number): void {
    this.#ms = performance.now() - this.#began
    this.#errors = errors
  }

  toJSON(): object {
    const { statements, omitted } = this
    const ended = { ms: roundedMs(this.#ms), errors: this.#errors, statements }
    return { ...this.#sent, ...ended, ...(omitted > 0 && { omittedStatements: omitted }) }
  }
}

/** Explanation of the operation of one request. */
export class Explanation {
  readonly fetches: ExplainedFetch[] = []
  /** Whether the text was parsed for this request, and not known before. */
  isParsed = false
  /** Milliseconds of planning; undefined where the plan was known before. */
  planMs: number | undefined

  begin(sent: SentFetch): ExplainedFetch {
    const fetch = new ExplainedFetch(sent)
    this.fetches.push(fetch)
    return fetch
  }
}
