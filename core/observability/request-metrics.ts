/**
 * Metrics of requests by operation, client and code, and of the calls of subgraphs that they lead to. Operations and clients are
 * bounded in number (`series.ts`), and so is the number of series.
 */
import type { Family } from './exposition.ts'
import type { ExecutionPath, RequestFacts, RequestListener, Way } from './request-facts.ts'
import { BoundedNames, CountSeries, DurationSeries, familyOf, OTHER } from './series.ts'

const MAX_OPERATIONS = 100
const MAX_CLIENTS = 100
/** The most counters; beyond, a new combination is counted for the client `other`. */
const MAX_SERIES = 10_000

/** Upper bounds in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Ways on which a client names its operation. */
const NAMED_BY_CLIENTS: readonly Way[] = ['GRAPH', 'STREAM']

const NO_CLIENT = 'none'
const UNNAMED = 'unnamed'

/** Series of one operation by one way. */
class OperationSeries {
  readonly #labels: { readonly way: Way; readonly operation: string }
  readonly durations: DurationSeries
  readonly database: CountSeries
  readonly subgraphs: CountSeries
  /** By client and code. */
  readonly #counts = new Map<string, Map<string, CountSeries>>()

  constructor(way: Way, operation: string) {
    this.#labels = { way, operation }
    this.durations = new DurationSeries(this.#labels, BUCKETS)
    this.database = new CountSeries(this.#labels)
    this.subgraphs = new CountSeries(this.#labels)
  }

  *counts(): Generator<CountSeries> {
    for (const ofClient of this.#counts.values()) yield* ofClient.values()
  }

  find(client: string, code: string): CountSeries | undefined {
    return this.#counts.get(client)?.get(code)
  }

  add(client: string, code: string): CountSeries {
    const series = new CountSeries({ ...this.#labels, client, code })
    const ofClient = this.#counts.get(client) ?? new Map<string, CountSeries>()
    this.#counts.set(client, ofClient.set(code, series))
    return series
  }
}

/** `OK`, or the code of the first error; the status where no code is known. */
const codeOf = ({ code, status }: RequestFacts): string => code ?? (status < 400 ? 'OK' : String(status))

/** Whether the request is counted by this process: not a part of a client's request, nor one that a service answered. */
const isOwn = ({ way, passedTo }: RequestFacts): boolean => way !== 'FETCH' && passedTo === undefined

export class RequestMetrics {
  readonly #operations = new BoundedNames({
    limit: MAX_OPERATIONS,
    onDropped: name => this.#drop(name),
  })
  readonly #clients = new BoundedNames({ limit: MAX_CLIENTS })
  readonly #executions = new Map<ExecutionPath, CountSeries>()
  readonly #series = new Map<Way, Map<string, OperationSeries>>()
  #size = 0

  /** Counts a request that has ended. */
  readonly count: RequestListener = facts => {
    if (!isOwn(facts)) return
    const operation = this.#operationOf(facts)
    const client = facts.principal ? this.#clients.use(facts.principal.clientId) : NO_CLIENT
    const series = this.#operation(facts.way, operation)
    this.#counter(series, client, codeOf(facts)).value += 1
    if (facts.execution) this.#countExecution(facts.execution)
    // The end of a stream says how long its client stayed.
    if (facts.way === 'STREAM') return
    series.durations.observe(facts.durationMs / 1_000, { correlator: facts.correlator })
    series.database.value += facts.databaseMs / 1_000
    series.subgraphs.value += facts.subgraphMs / 1_000
  }

  /** Gives operations labels that they keep: those of trusted documents. */
  keep(operations: Iterable<string>): void {
    this.#operations.keep(operations)
  }

  families(): Family[] {
    this.#operations.review()
    this.#clients.review()
    const all = [...this.#series.values()].flatMap(ofWay => [...ofWay.values()])
    const timed = all.filter(({ durations }) => !durations.isEmpty)
    return [
      familyOf(
        {
          name: 'requests_total',
          help: 'Requests of clients by way, operation, client and code; the most used operations and clients by name, the rest other',
          type: 'counter',
        },
        all.flatMap(one => [...one.counts()]),
      ),
      familyOf(
        {
          name: 'request_duration_seconds',
          help: 'Time from a request of a client to the end of its response, by way and operation; streams are left out',
          type: 'histogram',
        },
        timed.map(({ durations }) => durations),
      ),
      familyOf(
        {
          name: 'graph_executions_total',
          help: 'Queries and mutations by how they were executed: fast, compiled, planned or apollo (docs/operating.md)',
          type: 'counter',
        },
        this.#executions.values(),
      ),
      familyOf(
        {
          name: 'request_database_seconds_total',
          help: 'Time in which requests waited for statements, by way and operation',
          type: 'counter',
        },
        timed.map(({ database }) => database),
      ),
      familyOf(
        {
          name: 'request_subgraph_seconds_total',
          help: 'Time in which requests waited for subgraphs, by way and operation',
          type: 'counter',
        },
        timed.map(({ subgraphs }) => subgraphs),
      ),
    ]
  }

  /** Clients choose the names of the graph's operations alone. */
  #operationOf({ way, operation = UNNAMED }: RequestFacts): string {
    return NAMED_BY_CLIENTS.includes(way) ? this.#operations.use(operation) : operation
  }

  #countExecution(execution: ExecutionPath): void {
    const series = this.#executions.get(execution) ?? new CountSeries({ execution: execution.toLowerCase() })
    this.#executions.set(execution, series)
    series.value += 1
  }

  #operation(way: Way, operation: string): OperationSeries {
    const ofWay = this.#series.get(way) ?? new Map<string, OperationSeries>()
    const known = ofWay.get(operation)
    if (known) return known
    const series = new OperationSeries(way, operation)
    this.#series.set(way, ofWay.set(operation, series))
    return series
  }

  #counter(series: OperationSeries, client: string, code: string): CountSeries {
    const known = series.find(client, code)
    if (known) return known
    const label = this.#size < MAX_SERIES ? client : OTHER
    const other = series.find(label, code)
    if (other) return other
    this.#size += 1
    return series.add(label, code)
  }

  #drop(operation: string): void {
    for (const way of NAMED_BY_CLIENTS) {
      const series = this.#series.get(way)?.get(operation)
      if (series) this.#size -= [...series.counts()].length
      this.#series.get(way)?.delete(operation)
    }
  }
}

/**
 * Outcome of a call: `ok`, `errors` in the result, `refused` for its client (the token, a limit), `timeout`, or
 * `unavailable` where no instance could be reached.
 */
export type SubgraphOutcome = 'ok' | 'errors' | 'refused' | 'timeout' | 'unavailable'

/** Upper bounds in seconds. */
const CALL_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

interface Calls {
  readonly durations: DurationSeries
  readonly outcomes: Map<SubgraphOutcome, CountSeries>
}

/** Calls of subgraphs, in this process or another. */
export class SubgraphCalls {
  readonly #calls = new Map<string, Calls>()

  /** Counts a call that has ended. */
  count(subgraph: string, outcome: SubgraphOutcome, seconds: number): void {
    const { durations, outcomes } = this.#of(subgraph)
    durations.observe(seconds)
    const series = outcomes.get(outcome) ?? new CountSeries({ subgraph, outcome })
    outcomes.set(outcome, series)
    series.value += 1
  }

  families(): Family[] {
    const all = [...this.#calls.values()]
    return [
      familyOf(
        {
          name: 'subgraph_calls_total',
          help: 'Calls of subgraphs by outcome: ok, errors, refused, timeout or unavailable',
          type: 'counter',
        },
        all.flatMap(({ outcomes }) => [...outcomes.values()]),
      ),
      familyOf(
        {
          name: 'subgraph_call_duration_seconds',
          help: 'Time that a subgraph took for a call',
          type: 'histogram',
        },
        all.map(({ durations }) => durations),
      ),
    ]
  }

  #of(subgraph: string): Calls {
    const known = this.#calls.get(subgraph)
    if (known) return known
    const calls = { durations: new DurationSeries({ subgraph }, CALL_BUCKETS), outcomes: new Map() }
    this.#calls.set(subgraph, calls)
    return calls
  }
}
