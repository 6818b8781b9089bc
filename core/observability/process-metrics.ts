/** Metrics of a process: its background work, its database, and how much of its limits is in use. */
import { performance } from 'node:perf_hooks'
import { Counter, Gauge, type Registry } from 'prom-client'
import { VERSION } from '../config/project-files.ts'
import { createReading, createScrapedGauges } from './scraped.ts'

/** Switch of outbound traffic, with the reason while it is off. */
export interface OutboundSwitch {
  off(): string | undefined
}

/** State of a part of the background work. */
interface WorkerFigures {
  readonly name: string
  readonly ageMs: number
  readonly isLate: boolean
}

/** Source of the states of a process's background work. */
export interface WorkerSource {
  states(): readonly WorkerFigures[]
}

/** Connections of a pool. */
export interface PoolFigures {
  readonly inUse: number
  readonly idle: number
  /** The most that there may be. */
  readonly limit: number
  /** Statements that wait for one. */
  readonly waiting: number
}

/** A read replica, as far as metrics see it. */
interface ReplicaGauges {
  readonly fault: object | undefined
  readonly lagBytes: number | undefined
  readonly reads: Readonly<Record<string, number>>
}

/** The database of a process, as far as metrics see it. */
export interface DatabaseSource {
  /** Resolves when the database has answered. */
  ask(): Promise<unknown>
  /** Absent where the database is in this process. */
  pool?(): PoolFigures
  /** Absent where there is no read replica. */
  replica?(): ReplicaGauges
}

/** Something that is limited, such as requests that are served at once. */
export interface Slots {
  readonly inUse: number
  readonly limit: number
}

/** Slots of a process by name. */
export interface SlotGauges {
  /** Shows these slots from now on, together with others of the same name. */
  watch(name: string, read: () => Slots): void
}

/** A worker that was seen once stays shown, with 0 while it is idle. */
const gaugeWorkers = (watchdog: WorkerSource, registry: Registry) => {
  const known = new Set<string>()
  const gauge = (name: string, help: string, figureOf: (own: readonly WorkerFigures[]) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [registry],
      collect() {
        const states = watchdog.states()
        for (const state of states) known.add(state.name)
        for (const worker of known) this.set({ worker }, figureOf(states.filter(one => one.name === worker)))
      },
    })
  gauge(
    'worker_standstill_seconds',
    'How long ago background work that is under way last made progress',
    own => Math.max(0, ...own.map(({ ageMs }) => ageMs)) / 1_000,
  )
  gauge('worker_late', 'Whether background work has made no progress for longer than it may: 1, or 0', own =>
    own.some(({ isLate }) => isLate) ? 1 : 0,
  )
}

/** Adds a gauge of one number. */
const gaugeOf = (registry: Registry, name: string, help: string, read: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })

const gaugePool = (registry: Registry, { pool }: DatabaseSource) => {
  new Gauge({
    name: 'database_connections',
    help: 'Connections to PostgreSQL by state: in_use or idle',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const figures = pool?.()
      if (!figures) return
      this.set({ state: 'in_use' }, figures.inUse)
      this.set({ state: 'idle' }, figures.idle)
    },
  })
  const gauges = {
    database_connections_limit: ['Most connections to PostgreSQL that the process may hold', 'limit'],
    database_connections_waiting: ['Statements that wait for a connection to PostgreSQL', 'waiting'],
  } as const
  for (const [name, [help, figure]] of Object.entries(gauges))
    gaugeOf(registry, name, help, () => pool?.()[figure] ?? 0)
}

/** Where reads were done that a replica may do, and how it is; nothing where there is none. */
const gaugeReplica = (registry: Registry, { replica }: DatabaseSource) => {
  if (!replica) return
  new Counter({
    name: 'replica_reads_total',
    help: 'Reads that a replica may do: done there (replica), or by the primary since it was behind, away, busy, or failed',
    labelNames: ['place'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [place, count] of Object.entries(replica().reads)) this.inc({ place }, count)
    },
  })
  gaugeOf(
    registry,
    'replica_up',
    'Whether the read replica is read from: 1, or 0 while it is left out',
    () => (replica().fault ? 0 : 1),
  )
  gaugeOf(
    registry,
    'replica_lag_bytes',
    'Bytes of the write-ahead log that the read replica lacked when it was last asked; -1 where it does not answer',
    () => replica().lagBytes ?? -1,
  )
}

/** The database is asked once for both gauges; where it does not answer, there is no time to be shown. */
const gaugeDatabase = (registry: Registry, database: DatabaseSource) => {
  const ask = createReading(async () => {
    const began = performance.now()
    await database.ask()
    return (performance.now() - began) / 1_000
  })
  new Gauge({
    name: 'database_up',
    help: 'Whether the database answers within a second: 1, or 0',
    registers: [registry],
    async collect() {
      this.set((await ask()) === undefined ? 0 : 1)
    },
  })
  createScrapedGauges(registry, {
    response: {
      name: 'database_response_seconds',
      help: 'Time that the database took for the least statement',
    },
  }).watch('response', async () => {
    const seconds = await ask()
    return seconds === undefined ? [] : [{ gauge: 'response', value: seconds }]
  })
  gaugePool(registry, database)
  gaugeReplica(registry, database)
}

const createSlots = (registry: Registry): SlotGauges => {
  const known = new Map<string, (() => Slots)[]>()
  const gauge = (name: string, help: string, figure: keyof Slots) =>
    new Gauge({
      name,
      help,
      labelNames: ['slots'],
      registers: [registry],
      collect() {
        for (const [slots, all] of known)
          this.set(
            { slots },
            all.reduce((sum, read) => sum + read()[figure], 0),
          )
      },
    })
  gauge(
    'slots_in_use',
    'How much of a limit is in use: requests, turns, streams, webhooks, body_bytes (bytes)',
    'inUse',
  )
  gauge('slots_limit', 'The limit: of requests, turns, streams, webhooks, body_bytes (bytes)', 'limit')
  return {
    watch: (name, read) => void known.set(name, [...(known.get(name) ?? []), read]),
  }
}

const gaugeEventLoop = (registry: Registry) => {
  let last = performance.eventLoopUtilization()
  gaugeOf(
    registry,
    'event_loop_utilization',
    'Share of the time since the last scrape in which the event loop was busy: 0 to 1',
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  )
}

const gaugeBuild = (registry: Registry) =>
  new Gauge({
    name: 'partner_graph_info',
    help: 'The version of this program and of Node.js; always 1',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: VERSION, node: process.version }, 1)

interface ProcessSources {
  readonly outbound: OutboundSwitch
  readonly watchdog: WorkerSource
  readonly database: DatabaseSource
}

/** Adds the metrics of a process to a registry. */
export function createProcessMetrics(
  registry: Registry,
  { outbound, watchdog, database }: ProcessSources,
): SlotGauges {
  gaugeEventLoop(registry)
  gaugeBuild(registry)
  gaugeOf(
    registry,
    'outbound_enabled',
    'Whether webhooks, charging calls and SMS leave this server: 1, or 0 while they wait',
    () => (outbound.off() === undefined ? 1 : 0),
  )
  gaugeWorkers(watchdog, registry)
  gaugeDatabase(registry, database)
  return createSlots(registry)
}
