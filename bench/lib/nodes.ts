/** Servers of PostgreSQL on this machine: processor time and write-ahead log of each. */
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'

/** Linux counts processor time in hundredths of a second (`sysconf(_SC_CLK_TCK)`). */
const TICKS = 100

/** So far. */
export interface NodeReading {
  readonly cpuSeconds: number
  readonly walBytes: number
}

/** One server. */
export interface NodeProbe extends AsyncDisposable {
  readonly name: string
  read(): Promise<NodeReading>
  /** Runs a statement on this server alone. */
  query<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>
}

interface Stat {
  readonly parent: number
  readonly ticks: number
}

const statOf = (pid: number): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // utime, stime, and those of children that have ended (proc_pid_stat(5), fields 14 to 17).
    return { parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! }
  } catch {
    return undefined
  }
}

/** Processor time of a server: of its first process, of those that ended, and of those that run. */
const cpuSecondsOf = (postmaster: number): number => {
  const all = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(name => ({ pid: Number(name), stat: statOf(Number(name)) }))
  const own = all.filter(({ pid, stat }) => pid === postmaster || stat?.parent === postmaster)
  return own.reduce((sum, { stat }) => sum + (stat?.ticks ?? 0), 0) / TICKS
}

/** Opens a probe of a server. @param url a database on it; its user has to be a superuser. */
export async function openNode(name: string, url: string): Promise<NodeProbe> {
  const client = new pg.Client(url)
  await client.connect()
  const query = async <Row extends pg.QueryResultRow>(sql: string) => (await client.query<Row>(sql)).rows
  const [file] = await query<{ text: string }>(`SELECT pg_read_file('postmaster.pid') AS text`)
  const postmaster = Number(file!.text.split('\n')[0])
  if (!statOf(postmaster)) throw new Error(`The server of ${name} does not run on this machine`)
  return {
    name,
    query,
    async read() {
      const [row] = await query<{ bytes: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`)
      return { cpuSeconds: cpuSecondsOf(postmaster), walBytes: Number(row!.bytes) }
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
