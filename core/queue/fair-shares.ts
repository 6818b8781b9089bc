/**
 * How the slots of a process are shared among owners: by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds for Shared-Memory Packet Switches", 1998). No owner may hold more slots than are left free for others.
 */

/** An owner of rows that are due. */
export interface Waiting {
  readonly owner: string
  /** Slots that it holds. */
  readonly inFlight: number
  /** The most that it may hold. */
  readonly quota: number
}

/** How many slots an owner may take now, and how many it then holds. */
export interface Share {
  readonly slots: number
  readonly most: number
}

const slotsAt = (level: number, { inFlight, quota }: Waiting) =>
  Math.max(0, Math.min(quota, level) - inFlight)

/** The highest level at which as many slots as the level would still be free if all owners took theirs, by halving. */
const levelOf = (free: number, waiting: readonly Waiting[]): number => {
  let [low, high] = [0, Math.max(0, free)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (waiting.reduce((sum, owner) => sum + slotsAt(middle, owner), middle) <= free) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * The shares of owners that may take slots. All get up to the same level, and as much as that level stays free: k owners
 * whose work never ends hold k/(k+1) of the slots, and the next one finds free slots at once. An owner with nothing in
 * flight may take one slot even where none is free, so that no owner waits for the work of others alone.
 */
export function shareSlots(free: number, waiting: readonly Waiting[]): Map<string, Share> {
  const level = levelOf(free, waiting)
  const shares = waiting.map(one => {
    const slots = Math.max(slotsAt(level, one), one.inFlight === 0 ? 1 : 0)
    return [one.owner, { slots, most: one.inFlight + slots }] as const
  })
  return new Map(shares.filter(([, { slots }]) => slots > 0))
}
