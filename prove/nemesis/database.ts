/** Faults of the database: killed whole or by one backend, frozen, full, exhausted, read-only, promoted. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { again } from '../stage/again.ts'
import type { Postgres } from '../stage/cluster.ts'
import { fillDisk } from '../stage/disk.ts'
import type { Stage } from '../stage/stage.ts'
import { type Fault, once, oneAtATime, pick } from './fault.ts'

const hasPostgres = ({ postgres }: Stage) => postgres !== undefined
/** More than the server takes, so that it refuses some. */
const MANY = 70
const LEFT_BYTES = 300_000

/** Starts it again as often as it takes, where a fault ended it. */
async function revive(postgres: Postgres): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++) {
    if (await postgres.answers()) return
    await postgres.restart().catch(() => undefined)
    await delay(500)
  }
  throw new Error('PostgreSQL does not come back')
}

const killBackend = async (postgres: Postgres, random: (below: number) => number) => {
  const pids = await postgres.backends()
  if (pids.length === 0) return once('none')
  process.kill(pick(random, pids), 'SIGKILL')
  return { target: 'a backend', end: () => revive(postgres) }
}

const exhaust = async (postgres: Postgres) => {
  const clients = Array.from({ length: MANY }, () => {
    const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 3_000 })
    client.on('error', () => undefined)
    return client
  })
  await Promise.all(clients.map(client => client.connect().catch(() => undefined)))
  return {
    target: `${MANY} connections`,
    end: async () => void (await Promise.all(clients.map(client => client.end().catch(() => undefined)))),
  }
}

const setReadOnly = (postgres: Postgres, isOn: boolean) =>
  postgres.asAdministrator(async client => {
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
    await client.query('SELECT pg_reload_conf()')
  })

/** One at a time: a primary that is lost for good must have told its standby all that it had acknowledged. */
export const DATABASE_FAULTS: readonly Fault[] = oneAtATime([
  {
    name: 'kill PostgreSQL',
    weight: 2,
    longestMs: 2_500,
    isPossible: hasPostgres,
    begin: async ({ postgres }) => {
      postgres!.signal('SIGKILL')
      return { target: 'all of it', end: () => revive(postgres!) }
    },
  },
  {
    name: 'kill a backend',
    weight: 2,
    longestMs: 300,
    isPossible: hasPostgres,
    begin: ({ postgres }, random) => killBackend(postgres!, random),
  },
  {
    name: 'end all connections',
    weight: 2,
    longestMs: 200,
    isPossible: hasPostgres,
    begin: async ({ postgres }) => {
      await postgres!.asAdministrator(client =>
        client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        ),
      )
      return once('all clients')
    },
  },
  {
    name: 'freeze PostgreSQL',
    weight: 2,
    longestMs: 5_000,
    isPossible: hasPostgres,
    begin: async ({ postgres }) => {
      postgres!.signal('SIGSTOP')
      return { target: 'all of it', end: async () => postgres!.signal('SIGCONT') }
    },
  },
  {
    name: 'exhaust connections',
    weight: 2,
    longestMs: 4_000,
    isPossible: hasPostgres,
    begin: ({ postgres }) => exhaust(postgres!),
  },
  {
    name: 'make the database read-only',
    weight: 2,
    longestMs: 4_000,
    isPossible: hasPostgres,
    begin: async ({ postgres }) => {
      await setReadOnly(postgres!, true)
      return {
        target: 'default_transaction_read_only',
        end: () => again(() => setReadOnly(postgres!, false)),
      }
    },
  },
  {
    name: 'fill the disk',
    weight: 2,
    longestMs: 4_000,
    isPossible: ({ disk }) => disk !== undefined,
    begin: async ({ disk, postgres }, random) => {
      const empty = fillDisk(disk!, random(2) === 0 ? 0 : LEFT_BYTES)
      return {
        target: disk!.split('/').at(-1)!,
        end: async () => {
          empty()
          if (postgres) await revive(postgres)
        },
      }
    },
  },
  {
    name: 'promote a standby',
    weight: 1,
    longestMs: 200,
    isPossible: hasPostgres,
    begin: async ({ postgres, databaseWires }) => {
      await postgres!.addStandby()
      await postgres!.failOver()
      for (const wire of databaseWires) {
        wire.target = postgres!.port
        wire.reset()
      }
      return once('the primary is lost')
    },
  },
])
