/** A flood, alone in its process: as fast as it is answered, whatever the answers are; one job by message, its counts by message. */
import autocannon, { type Request } from 'autocannon'

export interface FloodJob {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly Request[]
}

/** Answers a second. */
export interface FloodResult {
  readonly served: number
  readonly refused: number
}

process.once('message', async message => {
  const { url, connections, seconds: duration, requests } = message as FloodJob
  const result = await autocannon({ url, connections, duration, requests: [...requests] })
  const { '2xx': served, non2xx, duration: seconds } = result
  process.send!({ served: served / seconds, refused: non2xx / seconds } satisfies FloodResult)
  process.disconnect()
})
