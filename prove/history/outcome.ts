/** Outcome of a post by its answer: the transaction is there, is not there, or may be. */
import { kindOf } from '../kinds.ts'
import type { AnswerLine, CallLine, Post } from './lines.ts'

export type Outcome =
  /** It was written by this call. */
  | { readonly is: 'written'; readonly id: string; readonly status?: string }
  /** It had been written before, by a call with the same correlator. */
  | { readonly is: 'repeated'; readonly id?: string }
  /** It was refused, and was not written by this call. */
  | { readonly is: 'refused'; readonly status: number; readonly code: string; readonly message: string }
  /** It was refused before it was looked at: no token, or nothing written in time. */
  | { readonly is: 'not-written'; readonly status: number }
  | { readonly is: 'unknown' }
  /** No answer that the contract foresees. */
  | { readonly is: 'unforeseen'; readonly text: string }

interface Fault {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly existingId?: string
}

const ID = /it is \w+ ([0-9a-f-]{36})/

/** Reads one fault, over whichever interface it came. */
const outcomeOfFault = ({ status, code, message, existingId }: Fault): Outcome => {
  const id = existingId ?? ID.exec(message)?.[1]
  if (status === 409 && code === 'ALREADY_EXISTS') return { is: 'repeated', ...(id && { id }) }
  if (status === 400 && id) return { is: 'repeated', id }
  if (status === 401 || status === 504) return { is: 'not-written', status }
  if (status === 503) return { is: 'unknown' }
  if (status >= 400 && status < 500) return { is: 'refused', status, code, message }
  return { is: 'unforeseen', text: `${status} ${code} ${message}` }
}

type Json = Record<string, unknown>

const restFault = (status: number, body: unknown): Fault => {
  const { code = '', message = String(body) } = (body ?? {}) as { code?: string; message?: string }
  return { status, code, message }
}

interface GraphError {
  readonly message: string
  readonly extensions?: {
    readonly code?: string
    readonly http?: { readonly status: number }
    readonly existingId?: string
  }
}

const graphFault = (status: number, errors: readonly GraphError[] | undefined): Fault => {
  const { message, extensions } = errors?.[0] ?? ({ message: 'no error' } as GraphError)
  return {
    status: extensions?.http?.status ?? status,
    code: extensions?.code ?? '',
    message,
    ...(extensions?.existingId && { existingId: extensions.existingId }),
  }
}

const writtenIn = (node: unknown, { kind }: Post): Outcome | undefined => {
  const { [kindOf(kind).idField]: id, transactionOperationStatus: status } = (node ?? {}) as Record<
    string,
    string
  >
  return id ? { is: 'written', id, ...(status && { status }) } : undefined
}

/** An answer that says that it is a repetition, by `Idempotency-Key`, created nothing. */
const asReplayed = (outcome: Outcome | undefined, { headers }: AnswerLine): Outcome | undefined =>
  outcome?.is === 'written' && headers?.['idempotency-replayed'] === 'true'
    ? { is: 'repeated', id: outcome.id }
    : outcome

const ofRest = (answer: AnswerLine, post: Post): Outcome => {
  const { status, body } = answer
  const written = status === 201 ? writtenIn(body, post) : undefined
  return asReplayed(written, answer) ?? outcomeOfFault(restFault(status, body))
}

/** A mutation selects the transaction as `result`, a batch a list of them with the refusals. */
const ofGraph = ({ status, body }: AnswerLine, posts: readonly Post[]): Outcome[] => {
  const { data, errors } = (body ?? {}) as { data?: Json | null; errors?: GraphError[] }
  const result = data?.['result']
  return posts.map((post, index) => {
    const node = Array.isArray(result) ? result[index]?.message : result
    const refusal = Array.isArray(result) ? result[index]?.error : undefined
    const written = writtenIn(node, post)
    if (written) return written
    if (refusal) return outcomeOfFault(refusalOf(refusal))
    return outcomeOfFault(graphFault(status, errors))
  })
}

const STATUS_OF: Readonly<Record<string, number>> = {
  SERVICE_UNAVAILABLE: 503,
  REQUEST_TIMEOUT_EXCEEDED: 504,
  SERVER_ERROR: 500,
}

const refusalOf = (refusal: Json): Fault => ({
  status: STATUS_OF[String(refusal['code'])] ?? 400,
  code: String(refusal['code']),
  message: String(refusal['message']),
  ...(typeof refusal['existingId'] === 'string' && { existingId: refusal['existingId'] }),
})

/** Outcomes of a call's posts, in their order; unknown where no whole answer came. */
export function outcomesOf(call: CallLine, answer: AnswerLine | undefined): Outcome[] {
  const posts = call.posts ?? []
  if (!answer || answer.status === 0) return posts.map(() => ({ is: 'unknown' }))
  return call.via === 'rest' ? posts.map(post => ofRest(answer, post)) : ofGraph(answer, posts)
}
