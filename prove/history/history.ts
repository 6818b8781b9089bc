/** A history as checks read it: calls with their answers, what each party saw, and the final state. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { KINDS, type Kind } from '../kinds.ts'
import type {
  AnswerLine,
  BeforeLine,
  BookLine,
  CallLine,
  ClientLine,
  EventLine,
  FaultLine,
  HookLine,
  Line,
  NoticeLine,
  Post,
  RunLine,
  SubscriberLine,
} from './lines.ts'
import { type Outcome, outcomesOf } from './outcome.ts'

export type Row = Readonly<Record<string, string | null>>

/** A call with its answer, if one came. */
export interface Exchange {
  readonly call: CallLine
  readonly answer?: AnswerLine
}

/** One transaction that a call posted, and its outcome as the answer reports it. */
export interface Attempt {
  readonly exchange: Exchange
  readonly post: Post
  readonly outcome: Outcome
}

/** A row of one of the five tables of transactions. */
export interface Transaction {
  readonly kind: Kind
  readonly id: string
  readonly client: string
  readonly correlator: string | null
  readonly reference: string | null
  readonly status: string
  readonly position: number
  readonly clientPosition: number
  readonly holder: string | null
  readonly worth: string | null
  readonly currency: string
  readonly row: Row
}

const toTransaction = (kind: Kind, row: Row): Transaction => ({
  kind,
  id: row['id']!,
  client: row['client_id']!,
  correlator: row['client_correlator_id'] ?? null,
  reference: row['reference_code'] ?? null,
  status: row['status']!,
  position: Number(row['position']),
  clientPosition: Number(row['client_position']),
  holder: (kind.moves?.of === 'account' ? row['account_number'] : row['mobile_number']) ?? null,
  worth: row['amount'] ?? row['points'] ?? null,
  currency: row['currency'] ?? '',
  row,
})

export class History {
  run!: RunLine
  before: BeforeLine = { t: 'before', transactions: [], balances: [], event: 0 }
  readonly clients: ClientLine[] = []
  readonly exchanges = new Map<number, { call: CallLine; answer?: AnswerLine }>()
  readonly events: EventLine[] = []
  readonly subscribers: SubscriberLine[] = []
  readonly hooks: HookLine[] = []
  readonly faults: FaultLine[] = []
  readonly books: BookLine[] = []
  readonly notices: NoticeLine[] = []
  readonly #rows = new Map<string, Row[]>()
  #transactions: Transaction[] | undefined
  #attempts: Attempt[] | undefined

  static of(lines: Iterable<Line>): History {
    const history = new History()
    for (const line of lines) history.#add(line)
    return history
  }

  /** Reads a history from its file. @throws Error where the file is no history. */
  static async read(file: string): Promise<History> {
    const history = new History()
    for await (const text of createInterface({ input: createReadStream(file) }))
      if (text !== '') history.#add(JSON.parse(text) as Line)
    if (!history.run)
      throw new Error(
        `${file} is no history: it has no line of the run ("t":"run"). Name a file that npm run prove wrote`,
      )
    return history
  }

  #add(line: Line): void {
    switch (line.t) {
      case 'run':
        this.run = line
        return
      case 'before':
        this.before = line
        return
      case 'client':
        return void this.clients.push(line)
      case 'call':
        return void this.exchanges.set(line.n, { call: line })
      case 'answer':
        this.exchanges.get(line.n)!.answer = line
        return
      case 'event':
        return void this.events.push(line)
      case 'subscriber':
        return void this.subscribers.push(line)
      case 'hook':
        return void this.hooks.push(line)
      case 'fault':
        return void this.faults.push(line)
      case 'book':
        return void this.books.push(line)
      case 'notice':
        return void this.notices.push(line)
      case 'row':
        this.#rowsOf(line.table).push(line.row)
    }
  }

  #rowsOf(table: string): Row[] {
    const rows = this.#rows.get(table) ?? []
    this.#rows.set(table, rows)
    return rows
  }

  rows(table: string): readonly Row[] {
    return this.#rows.get(table) ?? []
  }

  /** Finds the calls of these operations, in the order in which they were sent. */
  of(...ops: readonly string[]): Exchange[] {
    return [...this.exchanges.values()].filter(({ call }) => ops.includes(call.op))
  }

  roleOf(client: string): string | undefined {
    return this.clients.find(({ id }) => id === client)?.role
  }

  /** All transactions at the end, those of the demo data too. */
  get transactions(): readonly Transaction[] {
    this.#transactions ??= KINDS.flatMap(kind => this.rows(kind.table).map(row => toTransaction(kind, row)))
    return this.#transactions
  }

  /** Transactions of the run. */
  get posted(): readonly Transaction[] {
    const before = new Set(this.before.transactions)
    return this.transactions.filter(({ id }) => !before.has(id))
  }

  /** Every transaction that any call posted, whether it was written or not. */
  get attempts(): readonly Attempt[] {
    this.#attempts ??= [...this.exchanges.values()].flatMap(exchange => {
      const outcomes = outcomesOf(exchange.call, exchange.answer)
      return (exchange.call.posts ?? []).map((post, index) => ({ exchange, post, outcome: outcomes[index]! }))
    })
    return this.#attempts
  }
}

/** Name of a transaction to its client: its correlator, or else its reference. */
export const nameOf = (client: string, kind: string, identity: string | null | undefined): string =>
  `${client} ${kind} ${identity}`

export const nameOfPost = ({ exchange, post }: Attempt): string =>
  nameOf(exchange.call.client, post.kind, post.correlator ?? post.reference)

export const nameOfTransaction = ({ client, kind, correlator, reference }: Transaction): string =>
  nameOf(client, kind.name, correlator ?? reference)
