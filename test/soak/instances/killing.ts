/** SIGKILL at random moments, and a new start after a moment. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** Kills one after the other until the time is up; resolves when all are running again. */
export const killAtRandom = async (
  { members }: Cluster,
  random: (below: number) => number,
  seconds: number,
): Promise<string[]> => {
  const until = Date.now() + seconds * 1_000
  const away = new Map<string, Promise<void>>()
  const killed: string[] = []
  while (Date.now() < until) {
    const subscriber = members[random(members.length)]!
    const pauses = [random(1_500), 300 + random(1_200)] as const
    if (!away.has(subscriber.name)) {
      killed.push(subscriber.name)
      const back = subscriber
        .kill()
        .then(() => delay(pauses[0]))
        .then(() => subscriber.start())
      away.set(
        subscriber.name,
        back.finally(() => away.delete(subscriber.name)),
      )
    }
    await delay(pauses[1])
  }
  await Promise.all(away.values())
  return killed
}
