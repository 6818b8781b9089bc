/** Checks of `Idempotency-Key`: the first answer again, byte for byte, and nothing else under the key. */
import type { Exchange, History } from '../history/history.ts'
import { kindOf } from '../kinds.ts'
import { type Check, group } from './check.ts'

/** Statuses that may come of any call while faults are made; the key is free to be tried again. */
const PASSING = new Set([0, 401, 503, 504])

const keyOf = ({ call }: Exchange): string | undefined => call.posts?.[0]?.key

const keyed = (history: History): Map<string, Exchange[]> =>
  group(
    history.of('post').filter(one => keyOf(one) !== undefined),
    one => `${one.call.client} ${one.call.posts![0]!.kind} ${keyOf(one)}`,
  )

interface GraphAnswer {
  readonly data?: { readonly result?: Readonly<Record<string, string>> | null } | null
}

export const KEY_CHECKS: readonly Check[] = [
  {
    name: 'keys-replay-the-first',
    claim:
      'a request with an `Idempotency-Key` gets the first answer again, byte for byte; another one under the key is refused',
    *find(history) {
      for (const [key, exchanges] of keyed(history)) {
        const done = exchanges.filter(({ answer }) => answer?.status === 201)
        const [first] = done
        for (const { call, answer } of done.slice(1))
          if (answer!.digest !== first!.answer!.digest)
            yield `${key}: call #${call.n} was answered with other bytes than call #${first!.call.n}`
        for (const { call, answer } of exchanges)
          if (
            first &&
            call.at > first.answer!.at &&
            answer &&
            !PASSING.has(answer.status) &&
            !(answer.status === 201 && answer.headers?.['idempotency-replayed'] === 'true')
          )
            yield `${key}: call #${call.n} came after the answer to #${first.call.n}, and was answered with ${answer.status} as if it were new`
      }
      for (const { call, answer } of history.of('reuse'))
        if (answer && answer.status !== 422 && !PASSING.has(answer.status))
          yield `call #${call.n}, another request under a used key, was answered with ${answer.status}`
      for (const { call, answer } of history.of('replay')) {
        const result = (answer?.body as GraphAnswer | undefined)?.data?.result
        if (!result) continue
        const { id, kind } = call.about as { id: string; kind: string }
        const { [kindOf(kind).idField]: told, transactionOperationStatus: status } = result
        if (told !== id || status !== kindOf(kind).initial)
          yield `call #${call.n} repeated ${kind} ${id} in the graph, and was given ${told}, ${status}`
      }
    },
  },
]
