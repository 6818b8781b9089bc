/** Somebody who looks at the graph all the time. */
import { setTimeout as delay } from 'node:timers/promises'
import { createGraph } from '../../support/graph.ts'

/** Polls a graph until stopped; gives every failure that is not a passing one. */
export const startReader = (addresses: readonly string[], token: string) => {
  const unforeseen: string[] = []
  let stopped = false
  const query = `{ subscriber(mobileNumber: "+96891000001") { pointsBalance customer { totalDues payments(first: 5) { nodes { paymentId } } }
    rewards(first: 5) { nodes { rewardId } } timeline(first: 5) { nodes { kind transaction { id } } } } }`
  const running = (async () => {
    for (let n = 0; !stopped; n++) {
      const response = await createGraph(addresses[n % addresses.length]!)(query, { token }).catch(error => {
        if (!(error instanceof TypeError)) unforeseen.push(String(error))
      })
      for (const { message, extensions } of response?.errors ?? [])
        if (extensions.http.status < 503) unforeseen.push(message)
      await delay(100)
    }
  })()
  return {
    unforeseen,
    stop: () => {
      stopped = true
      return running
    },
  }
}
