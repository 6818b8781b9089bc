/** REST responses that are given again while they are true, with the hash of their bytes for the ETag. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAlone } from '../access/visibility.ts'
import type { AnswerStore } from '../answers/answer-store.ts'
import { sharedKey } from '../async/single-flight.ts'
import type { Operations, RestRequest, RestResponse } from './rest-operations.ts'
import { answeredBy } from './validators.ts'

type Operation = Operations[string]

const repeatable = new WeakSet<Operation>()

/**
 * Marks an operation whose response depends on the request, its client and the database alone: on no clock, and on nothing that
 * this process or another system knows.
 */
export const ofDatabase = <Marked extends Operation>(operation: Marked): Marked => {
  repeatable.add(operation)
  return operation
}

export const isOfDatabase = (operation: Operation): boolean => repeatable.has(operation)

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers with a stored response, or with one that is stored for the next. */
export async function respondOrRepeat(
  answers: AnswerStore,
  operation: Operation,
  request: RestRequest,
  { http, reply }: { readonly http: FastifyRequest; readonly reply: FastifyReply },
): Promise<RestResponse> {
  const { principal, trail } = request.caller
  const { config } = http.routeOptions
  const stored = await answers.answer({
    key: sharedKey(clientAlone(principal), `${config.operation}\n${http.url}`),
    trail,
    async make() {
      const { status, headers = {}, body } = await operation(request)
      const write = reply.getSerializationFunction(String(status), 'application/json') ?? JSON.stringify
      const text = write(body as Record<string, unknown>)
      return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: text }
    },
    bytesOf: ({ body }) => 2 * body.length,
  })
  answeredBy(http, stored)
  return stored
}
