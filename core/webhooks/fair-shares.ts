/**
 * How the places of a process are shared among clients: by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue
 * Length Thresholds for Shared-Memory Packet Switches", 1998). Nobody may hold more than what is left free for others.
 */

/** A client for whom something is due. */
export interface Waiting {
  readonly clientId: string
  /** Attempts that it has under way. */
  readonly underWay: number
  /** The most that it may have (`webhooksInFlight`). */
  readonly quota: number
}

/** What a client may take now, and how many attempts it then has under way. */
export interface Share {
  readonly places: number
  readonly most: number
}

const placesAt = (level: number, { underWay, quota }: Waiting) =>
  Math.max(0, Math.min(quota, level) - underWay)

/** Whether as many places as the level says would still be free if everyone took what it grants. */
const leavesRoom = (level: number, free: number, waiting: readonly Waiting[]) =>
  waiting.reduce((sum, client) => sum + placesAt(level, client), level) <= free

/** The highest level that leaves room, by halving. */
const levelOf = (free: number, waiting: readonly Waiting[]): number => {
  let [low, high] = [0, Math.max(0, free)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (leavesRoom(middle, free, waiting)) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * What each client may take. All get up to the same level, and as much as that level stays free, so that k clients whose
 * receivers never answer hold k/(k+1) of the places and the next one finds room at once. Who has nothing under way may
 * have one attempt even where no place is free: nobody waits for another's receivers alone.
 */
export function sharePlaces(free: number, waiting: readonly Waiting[]): Map<string, Share> {
  const level = levelOf(free, waiting)
  const shares = waiting.map(client => {
    const places = Math.max(placesAt(level, client), client.underWay === 0 ? 1 : 0)
    return [client.clientId, { places, most: client.underWay + places }] as const
  })
  return new Map(shares.filter(([, { places }]) => places > 0))
}
