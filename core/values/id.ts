/** Identifiers: UUID version 7 (RFC 9562), so that newer ids sort after older ones. */
import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const RANDOM_BYTES = 16
const MOST_COUNTED = 0xffff_ffff

/** Random bytes for many ids: asked for one by one, they cost more than all the rest of an id. */
const pool = new Uint8Array(256 * RANDOM_BYTES)
let used = pool.length

const nextRandom = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/** The millisecond of the newest id, and a count of those in it that begins anywhere (section 6.2, method 1). */
const newest = { msecs: 0, seq: 0 }

const startCount = ([a, b, c]: Uint8Array) => a! * 0x1_00_00 + b! * 0x1_00 + c!

/** A clock that stands still or goes back is overtaken by counting. */
const countOn = (now: number, random: Uint8Array) => {
  if (now > newest.msecs) {
    newest.msecs = now
    newest.seq = startCount(random)
  } else if (newest.seq < MOST_COUNTED) newest.seq++
  else {
    newest.msecs++
    newest.seq = startCount(random)
  }
}

/** A new id; later ones of the same process sort after earlier ones, as text too. `at` says when, if not now. */
export const newId = (at?: Date): string => {
  const random = nextRandom()
  if (at) return v7({ random, msecs: at.getTime() })
  countOn(Date.now(), random)
  return v7({ random, ...newest })
}

/** Whether the text is a UUID of any version, in either case: what the database can be asked for. */
export const isId = (text: string): boolean => UUID.test(text)
