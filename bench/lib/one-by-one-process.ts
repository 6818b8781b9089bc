/** One client with one connection, alone in its process: it asks, waits for the answer, and asks again. */
import type { Request } from 'autocannon'
import { Client } from 'undici'
import { type Percentiles, percentiles } from './percentiles.ts'
import { serveCalls } from './worker.ts'

export interface OneByOneJob {
  readonly url: string
  readonly requests: readonly Request[]
  readonly seconds: number
}

/** Milliseconds from the request to the end of its response. */
export interface OneByOne extends Percentiles {
  readonly count: number
}

const ask = async (client: Client, { path, headers, body }: Request) => {
  const start = performance.now()
  const response = await client.request({ method: 'POST', path, headers: headers!, body: body! })
  await response.body.text()
  if (response.statusCode !== 200) throw new Error(`a request was answered with ${response.statusCode}`)
  return performance.now() - start
}

serveCalls({
  async run({ url, requests, seconds }: OneByOneJob): Promise<OneByOne> {
    const client = new Client(url, { pipelining: 1 })
    const latencies: number[] = []
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; )
      latencies.push(await ask(client, requests[latencies.length % requests.length]!))
    await client.close()
    return { count: latencies.length, ...percentiles(latencies) }
  },
})
