/** Losses of the primary under Patroni: killed, frozen, cut off, switched over. */
import { setTimeout as delay } from 'node:timers/promises'
import { LOSSES, type Loss } from '#test/failover/faults.ts'
import type { Node, PatroniCluster } from '#test/failover/patroni.ts'
import { type Fault, oneAtATime } from './fault.ts'

const PROMOTION_MS = 90_000
const LOOK_MS = 200

/** Resolves when another node is the primary. @throws Error when none is in time. */
const promoted = async (cluster: PatroniCluster, before: Node): Promise<void> => {
  for (const until = Date.now() + PROMOTION_MS; Date.now() < until; await delay(LOOK_MS)) {
    const now = await cluster.leader().catch(() => undefined)
    if (now && now !== before) return
  }
  throw new Error(`no standby was promoted in place of ${before.name}`)
}

const lose = async (cluster: PatroniCluster, { inflict, undo }: Loss) => {
  await cluster.whole()
  const primary = await cluster.leader()
  await inflict(cluster, primary)
  const end = async () => {
    try {
      await promoted(cluster, primary)
    } finally {
      await undo(cluster, primary)
    }
    await cluster.whole()
  }
  return { target: primary.name, end }
}

const faultOf = (loss: Loss): Fault => ({
  name: `lose the primary under Patroni: ${loss.name}`,
  weight: 2,
  longestMs: 2_000,
  isPossible: ({ patroni }) => patroni !== undefined,
  begin: ({ patroni }) => lose(patroni!, loss),
})

/** A cluster of three has no majority without two. */
export const PATRONI_FAULTS: readonly Fault[] = oneAtATime(LOSSES.map(faultOf))
