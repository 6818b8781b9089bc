/** The load generator, alone in its process: one job by message, its results by message. */
import { Sender, type SenderJob, type SenderResult } from './sender.ts'

export interface GeneratorJob {
  readonly port: number
  readonly seconds: number
  readonly senders: readonly SenderJob[]
}

/** Sent when every connection is open; the load begins with the next message of the parent. */
export const READY = 'ready'

const run = async ({ port, seconds, senders: jobs }: GeneratorJob): Promise<void> => {
  const senders = jobs.map(job => new Sender(port, job))
  await Promise.all(senders.map(one => one.open()))
  process.send!(READY)
  process.once('message', async () => {
    const results: SenderResult[] = await Promise.all(senders.map(one => one.run(seconds)))
    for (const one of senders) one.close()
    process.send!(results)
    process.disconnect()
  })
}

process.once('message', job => run(job as GeneratorJob))
