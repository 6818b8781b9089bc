/** Facts in a response that its reader may not know, apart from those of its own request. */
import { note } from './figures.ts'
import type { Intruder } from './isolation-stage.ts'

const COUNTED = /"\w*(totalCount|count|completed|failed)":[1-9]/

/** The markers of another's that stand in a response and not in the request. */
export function leaksIn({ markers, countsNothing }: Intruder, request: string, response: string): string[] {
  const told = markers.filter(one => response.includes(one) && !request.includes(one))
  return countsNothing && COUNTED.test(response) ? [...told, COUNTED.exec(response)![0]] : told
}

/** Tries requests one after the other and notes them. @throws Error with each kind of leak once, and the request. */
export async function tryAll<Request>(
  what: string,
  intruder: Intruder,
  requests: readonly Request[],
  send: (request: Request, token: string) => Promise<string>,
): Promise<void> {
  const leaks = new Map<string, string>()
  let faults = 0
  for (const request of requests) {
    const text = typeof request === 'string' ? request : JSON.stringify(request)
    const response = await send(request, intruder.token)
    const told = leaksIn(intruder, text, response)
    if (told.length === 0) continue
    faults += 1
    leaks.set(
      told.join(),
      leaks.get(told.join()) ?? `${told.join(', ')} by ${text.slice(0, 400)}\n${response.slice(0, 600)}`,
    )
  }
  note({ part: 'isolation', what: `${what} by ${intruder.name}`, cases: requests.length, faults })
  if (faults > 0) throw new Error([...leaks.values()].slice(0, 5).join('\n\n'))
}
