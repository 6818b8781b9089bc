/**
 * A partner's worker: deals with each of its events once, however often it is stopped or its connection is lost. Where it
 * stands is kept in a file, which moves on once an event was dealt with.
 *
 *     node examples/worker/main.ts [http://127.0.0.1:4000] [folder of the cursor] [websocket, sse or poll]
 */
import { type FollowWay, follow } from '#client/index.ts'
import { fileCursorStore } from '#client/node.ts'
import { clientOf } from '../client.ts'

const [, , , folder = 'cursors', way = 'websocket'] = process.argv
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

const events = follow(clientOf('demo-partner'), {
  way: way as FollowWay,
  name: 'worker',
  store: fileCursorStore(folder),
  signal: stop.signal,
  onState: state =>
    console.log(
      state.name === 'lost' ? `lost: ${state.reason.message}; again in ${state.retryInMs} ms` : state.name,
    ),
})
for await (const { event, ack } of events) {
  // Here the event goes into a database of your own, by its `eventid`: after a crash the last one can come again.
  console.log(`${event.kind} ${event.transactionId}: ${event.status}`)
  await ack()
}
console.log('stopped')
