/** A program whose primary looks for hanging workers soon: prints a line for each worker that serves, with its process id. */
import cluster from 'node:cluster'
import { createLog } from '#core/observability/log.ts'
import { Workers } from '#core/workers/primary.ts'
import { reportReady } from '#core/workers/worker.ts'

/** Five times the interval at which a worker shows that it lives. */
const SILENCE_MS = 10_000

if (cluster.isPrimary) {
  cluster.on('message', (worker, { kind }: { kind: string }) => {
    if (kind === 'ready') console.log(`worker ${worker.process.pid}`)
  })
  const workers = new Workers({ workers: 2, log: createLog('error'), stopMs: 5_000, silenceMs: SILENCE_MS })
  process.once('SIGTERM', async () => process.exit((await workers.stop()) ? 0 : 1))
  await workers.start()
} else {
  process.once('SIGTERM', () => process.exit(0))
  reportReady('http://127.0.0.1:0')
}
