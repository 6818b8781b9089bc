/**
 * Lines of a history: the requests of clients and their answers, what receivers and subscribers got, the faults, and the
 * final state. Checks read nothing else, so a history can be checked again without the run.
 */

export type Role = 'partner' | 'portal' | 'analyst' | 'auditor'
export type Via = 'rest' | 'graph'

/** First line of a history. */
export interface RunLine {
  readonly t: 'run'
  readonly at: number
  readonly seed: number
  readonly topology: string
  /** Systems that settle: the embedded ledger, or a charging system and a message centre of their own. */
  readonly behind: 'ledger' | 'systems'
  readonly minutes: number
  readonly sabotage?: string
}

export interface ClientLine {
  readonly t: 'client'
  readonly id: string
  readonly role: Role
  /** Largest amount that it may move of one owner in a month. */
  readonly monthlyAmount?: string
  readonly monthlyPoints?: string
}

export interface Balance {
  readonly kind: string
  readonly holder: string
  readonly currency: string
  readonly amount: string
}

/** State before the first call: transactions and balances of the demo data. */
export interface BeforeLine {
  readonly t: 'before'
  readonly transactions: readonly string[]
  readonly balances: readonly Balance[]
  /** Position of the last event. */
  readonly event: number
}

/** Facts of a transaction that a call posts. */
export interface Post {
  readonly kind: string
  /** Absent where a payment is posted without one. Its reference identifies it then. */
  readonly correlator?: string
  readonly reference?: string
  /** Its `Idempotency-Key`, where it is sent with one. */
  readonly key?: string
  readonly holder: string
  /** Amount or points, exact. */
  readonly worth?: string
  /** Name of the receiver that its webhook leads to. */
  readonly receiver?: string
}

export interface CallLine {
  readonly t: 'call'
  readonly n: number
  readonly at: number
  readonly client: string
  readonly via: Via
  readonly address: string
  /** Purpose of the call, such as `post`, `list` or `summary`. */
  readonly op: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  /** Transactions that it posts: one, or those of a batch. */
  readonly posts?: readonly Post[]
  /** Further facts that checks read, such as the id that is asked for. */
  readonly about?: Readonly<Record<string, string | number>>
}

export interface AnswerLine {
  readonly t: 'answer'
  readonly n: number
  readonly at: number
  /** Status on HTTP; 0 where no whole answer came. */
  readonly status: number
  readonly error?: string
  /** SHA-256 of the body's bytes, where a repetition must bring the same bytes. */
  readonly digest?: string
  /** Headers that checks read. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Event that reached a subscriber. */
export interface EventLine {
  readonly t: 'event'
  readonly at: number
  readonly subscriber: string
  readonly cursor: string
  readonly eventid: string
  readonly status?: string
}

/** Subscriber, with the events that it is to see. */
export interface SubscriberLine {
  readonly t: 'subscriber'
  readonly name: string
  readonly client: string
  readonly transport: 'websocket' | 'sse'
  readonly field: string
  /** Kind that it follows; all kinds where it is absent. */
  readonly kind?: string
}

/** Call of a webhook that arrived, and its answer. */
export interface HookLine {
  readonly t: 'hook'
  readonly at: number
  readonly receiver: string
  /** Status that was sent whole; 0 where none was. */
  readonly status: number
  readonly mood: string
  readonly body: unknown
}

export interface FaultLine {
  readonly t: 'fault'
  readonly at: number
  readonly n: number
  readonly name: string
  readonly target: string
  readonly ms: number
  readonly phase: 'begin' | 'end' | 'failed'
  readonly error?: string
}

/** Row of a table at the end; every value is text or null. */
export interface RowLine {
  readonly t: 'row'
  readonly table: string
  readonly row: Readonly<Record<string, string | null>>
}

/** Order in the book of the charging system, or message in that of the message centre, at the end. */
export interface BookLine {
  readonly t: 'book'
  readonly book: 'charging' | 'smpp'
  readonly entry: Readonly<Record<string, unknown>>
}

/** Notice of the run itself, such as a process that ended although nobody killed it. */
export interface NoticeLine {
  readonly t: 'notice'
  readonly at: number
  readonly what:
    | 'ended-by-itself'
    | 'refused-start'
    | 'not-settled'
    | 'not-recovered'
    | 'subscriber'
    | 'stopped'
  readonly text: string
}

export type Line =
  | RunLine
  | ClientLine
  | BeforeLine
  | CallLine
  | AnswerLine
  | EventLine
  | SubscriberLine
  | HookLine
  | FaultLine
  | RowLine
  | BookLine
  | NoticeLine
