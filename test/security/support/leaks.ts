/** Facts in a response that its reader may not know, apart from those of its own request. */
import { note } from './figures.ts'
import type { Intruder } from './isolation-stage.ts'

const COUNTED = /"\w*(totalCount|count|completed|failed)":[1-9]/

/** Fields that count the requests of the intruder itself, of which there are some. */
const OF_OWN_REQUESTS = /\b(requests|requestSummary)\b/

/** An instant, whose seconds may look like an amount. */
const INSTANT = /\b\d{4}-\d\d-\d\dT[\d:.]+/g

/** The markers of another's that stand in a response and not in the request. */
export function leaksIn({ markers, countsNothing }: Intruder, request: string, response: string): string[] {
  const text = response.replace(INSTANT, '')
  const leaked = markers.filter(one => text.includes(one) && !request.includes(one))
  const isCounted = countsNothing && !OF_OWN_REQUESTS.test(request) && COUNTED.test(response)
  return isCounted ? [...leaked, COUNTED.exec(response)![0]] : leaked
}

/** Tries requests one after the other and records them. @throws Error with each kind of leak once, and the request. */
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
    const leaked = leaksIn(intruder, text, response)
    if (leaked.length === 0) continue
    faults += 1
    leaks.set(
      leaked.join(),
      leaks.get(leaked.join()) ?? `${leaked.join(', ')} by ${text.slice(0, 400)}\n${response.slice(0, 600)}`,
    )
  }
  note({ part: 'isolation', what: `${what} by ${intruder.name}`, cases: requests.length, faults })
  if (faults > 0) throw new Error([...leaks.values()].slice(0, 5).join('\n\n'))
}
