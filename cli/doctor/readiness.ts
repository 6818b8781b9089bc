/** Findings about `/health/ready`: each degraded part, and what an operator can do about it. */
import { isObject } from '#core/values/json.ts'
import { type Finding, found } from './finding.ts'
import { type Answer, jsonOf } from './request.ts'

const READINESS = 'readiness'

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /^database$/,
    'see whether the database runs, is reached at DATABASE_URL, has disk space, and is no replica',
  ],
  [
    /^(charging|smpp)$/,
    'see whether that system runs; what is posted is kept, and carried out once it is back',
  ],
  [
    /^outbound traffic$/,
    'if webhooks and orders are to be sent from here, unset OUTBOUND or run npm run cli -- installation confirm',
  ],
  [/^subgraph /, 'start that process, or see its log; the other services go on'],
  [
    /^request log$/,
    'requests are served nevertheless; see whether the database keeps up, and the log of the server',
  ],
  [/^process$/, 'it is stopping: do nothing where another process takes its place, else start one'],
]

/** Advice on all other parts: they are kinds of background work, of which there are many. */
const ADVICE_OF_WORK =
  "see the server's log for what it fails at; what was posted is kept, and done once it goes on"

const adviceOf = (part: string) => ADVICE.find(([pattern]) => pattern.test(part))?.[1] ?? ADVICE_OF_WORK

interface Degraded {
  readonly part: string
  readonly reason: string
  readonly serving: boolean
  readonly since?: string
}

const isDegraded = (value: unknown): value is Degraded =>
  isObject(value) && typeof value['part'] === 'string' && typeof value['reason'] === 'string'

/** Reads the reasons of earlier versions, which do not name their parts. */
const withoutParts = (clauses: unknown, serving: boolean): Degraded[] =>
  (Array.isArray(clauses) ? clauses : []).map(reason => ({
    part: READINESS,
    reason: String(reason),
    serving,
  }))

const degradedIn = (body: Record<string, unknown>): Degraded[] => {
  const { degraded, reasons, warnings } = body
  if (Array.isArray(degraded)) return degraded.filter(isDegraded)
  return [...withoutParts(reasons, false), ...withoutParts(warnings, true)]
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Makes the findings about a response of `/health/ready`. */
export function readinessFindings(answer: Answer): Finding[] {
  const body = jsonOf(answer)
  if (!isObject(body) || (answer.status !== 200 && answer.status !== 503))
    return [
      found.broken(
        READINESS,
        `Readiness is answered ${answer.status}: see the server's log, or the proxy before it.`,
      ),
    ]
  const parts = degradedIn(body).map(({ part, reason, serving, since }) => {
    const text = `${capitalized(reason.replace(/\.$/, ''))}${since ? ` (since ${since})` : ''}: ${adviceOf(part)}.`
    return serving ? found.degraded(part, text) : found.broken(part, text)
  })
  if (parts.length > 0) return parts
  return answer.status === 200
    ? [found.well(READINESS, 'It is ready to serve, and no part is degraded.')]
    : [found.broken(READINESS, "It is not ready, and gives no reason: see the server's log.")]
}
