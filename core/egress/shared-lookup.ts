/**
 * One look-up of a name at a time, whoever waits for it. Node looks names up on two threads, and one whose name server
 * does not answer takes 10 s: repeated for each attempt, those of one receiver would hold up everybody else's.
 */
import type { LookupAddress, LookupOptions } from 'node:dns'

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

/** Looks up all addresses of a name, as `dns.lookup` does. */
export type Lookup = (hostname: string, options: LookupOptions & { all: true }, found: Found) => void

/** @returns `lookup`, of which those who ask for the same name while it is under way share the result. */
export function shareLookups(lookup: Lookup): Lookup {
  const waiting = new Map<string, Found[]>()
  return (hostname, options, found) => {
    const key = `${hostname} ${options.family} ${options.hints}`
    const others = waiting.get(key)
    if (others) return void others.push(found)
    const all = [found]
    waiting.set(key, all)
    lookup(hostname, options, (error, addresses) => {
      waiting.delete(key)
      for (const each of all) each(error, addresses)
    })
  }
}
