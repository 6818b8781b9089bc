/** A worker of `WORKERS`: shows its primary that it lives, and a scraper the metrics of all workers. */
import cluster from 'node:cluster'
import { workerNumber } from '../config/config.ts'
import type { ServerMetrics } from '../http/metrics.ts'
import { type Family, mergeFamilies, withLabel } from '../observability/exposition.ts'
import { ALIVE_EVERY_MS, COLLECT_MS, type FromWorker, type ToWorker } from './messages.ts'

/** Whether this process is a worker. */
export const isWorker = (): boolean => cluster.isWorker

const send = (message: FromWorker): void => {
  if (process.connected) process.send?.(message)
}

/** Joins the metrics of all workers; their label `worker` has each one's number. */
export function joinWorkers(metrics: ServerMetrics): void {
  const waiting = new Map<number, (families: readonly Family[]) => void>()
  let asked = 0
  const own = async () => withLabel(await metrics.readOwn(), 'worker', workerNumber())
  const others = (): Promise<readonly Family[]> => {
    const id = ++asked
    const { promise, resolve } = Promise.withResolvers<readonly Family[]>()
    const timer = setTimeout(() => resolve([]), 2 * COLLECT_MS)
    waiting.set(id, resolve)
    send({ kind: 'collect', id })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
  metrics.joinPeers(async () => {
    const [ours, theirs] = await Promise.all([own(), others()])
    return mergeFamilies([...ours, ...theirs])
  })
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'report')
      own()
        // Without its metrics the others' are shown all the same.
        .catch((): Family[] => [])
        .then(families => send({ kind: 'reported', id: message.id, families }))
    else if (message.kind === 'collected') waiting.get(message.id)?.(message.families)
  })
}

/** Reports that this worker serves, and from then on that its event loop turns. */
export function reportReady(address: string): void {
  // The cluster module ends a worker at once when its primary is gone, unless it believes that this was wanted. The process
  // itself finishes what is in flight then.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  send({ kind: 'ready', address })
  setInterval(() => send({ kind: 'alive' }), ALIVE_EVERY_MS).unref()
}
