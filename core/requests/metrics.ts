/** Metrics of the request log: what waits, what stands for several requests, what was lost. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** State of a queue of requests: what waits, what was joined with others, and what was lost. */
interface QueueState {
  readonly size: number
  readonly joined: number
  readonly lost: number
}

/** Shows the state of a queue of requests at each scrape. */
export function showRequestLog(registry: Registry, queue: QueueState): void {
  const registers = [registry]
  new Gauge({
    name: 'request_log_waiting',
    help: 'Rows that wait to be written to the request log',
    registers,
    collect() {
      this.set(queue.size)
    },
  })
  const count = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  count(
    'request_log_joined_total',
    'Requests that became part of a row of the request log that stands for several',
    () => queue.joined,
  )
  count('request_log_lost_total', 'Requests that no row of the request log stands for', () => queue.lost)
}
