/** The other side of P10: a bare loop over undici that posts the same bodies, and notes nothing anywhere. */

import { Agent } from 'undici'
import { v7 } from 'uuid'
import { notificationOf } from '../../subgraphs/shared/webhooks/notification.ts'
import { notified, TOKEN } from './notified.ts'
import { serveCalls } from './worker.ts'

export interface PostJob {
  readonly origins: readonly string[]
  readonly count: number
  /** How many posts at a time to each receiver. */
  readonly perOrigin: number
}

interface Post {
  readonly origin: string
  readonly body: string
}

const agent = new Agent({ pipelining: 1, keepAliveTimeout: 4_000 })

const send = async ({ origin, body }: Post) => {
  const response = await agent.request({
    origin,
    path: '/hooks/eventNotifications',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'partner-graph/0.0.0',
      authorization: `Bearer ${TOKEN}`,
      'x-correlator': v7(),
    },
    body,
  })
  await response.body.dump()
  if (response.statusCode !== 204) throw new Error(`a receiver answered ${response.statusCode}`)
}

const prepare = ({ origins, count }: PostJob): Post[] =>
  notified(origins, count, '').map(event => ({
    origin: event.webhook!.origin,
    body: notificationOf(event, 'paymentId', 'Asia/Muscat'),
  }))

const postAll = async (posts: readonly Post[], perOrigin: number) => {
  const sendEach = async (mine: Iterator<Post>) => {
    for (let next = mine.next(); !next.done; next = mine.next()) await send(next.value)
  }
  const byOrigin = [...Map.groupBy(posts, ({ origin }) => origin).values()]
  const loops = byOrigin.flatMap(mine => Array(perOrigin).fill(mine.values()) as Iterator<Post>[])
  await Promise.all(loops.map(sendEach))
}

serveCalls({ post: (job: PostJob) => postAll(prepare(job), job.perOrigin) })
