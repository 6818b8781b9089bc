/** The product with a clock for its webhooks that the test moves, and what tests post and look up. */

import type { Deliverer } from '#core/webhooks/deliverer.ts'
import { postpaidBilling } from '#test/support/fixtures/postpaid-billing.ts'
import { createGraph, type Graph } from '#test/support/graph.ts'
import { createRest, type Rest } from '#test/support/rest.ts'
import { type Stack, startStack } from '#test/support/stack.ts'

export interface Stage extends AsyncDisposable {
  readonly stack: Stack
  readonly rest: Rest
  readonly graph: Graph
  readonly deliverer: Deliverer
  /** How far the webhooks' clock is ahead, in milliseconds. */
  ahead: number
  /** The random number that spreads the waits; in the middle unless set. */
  random: number
  /** Posts a payment with this webhook; its id. */
  pay(webhook: object | undefined, client?: string): Promise<string>
  /** Resolves when everything is settled and everything due is sent. */
  sent(): Promise<void>
  /** The deliveries of a payment, as a portal sees them. */
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  deliveries(paymentId: string): Promise<any[]>
}

const FIELDS =
  'id eventid transactionId kind status attempts lastStatus lastError nextAttemptAt createdAt deliveredAt notificationUrl attemptLog { at status durationMs error }'

export interface StageOptions {
  readonly timeLimitMs?: number
  readonly env?: Record<string, string>
  /** Where log lines go. */
  readonly logLines?: string[]
}

const begin = async (
  state: { ahead: number; random: number },
  { timeLimitMs, env, logLines }: StageOptions,
) =>
  startStack({
    env: { WEBHOOK_ALLOW: '127.0.0.1', LOG_LEVEL: 'silent', ...env },
    logLines,
    parts: async () => ({
      delivery: { clockOffsetMs: () => state.ahead, random: () => state.random, timeLimitMs },
    }),
  })

/** Starts everything; use with `await using`. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const state = { ahead: 0, random: 0.5 }
  const stack = await begin(state, options)
  const [rest, graph] = [createRest(stack.address), createGraph(stack.address)]
  const { deliverer } = stack.server
  return Object.assign(state, {
    stack,
    rest,
    graph,
    deliverer,
    async pay(webhook: object | undefined, client = 'demo-partner') {
      const token = await stack.token(client)
      const { paymentTransaction } = postpaidBilling.body()
      const response = await rest('POST', postpaidBilling.path, {
        token,
        body: { paymentTransaction, webhook },
      })
      if (response.status !== 201) throw new Error(response.text)
      return response.body.paymentId as string
    },
    async sent() {
      await stack.settled()
      await deliverer.idle()
    },
    async deliveries(paymentId: string) {
      const token = await stack.token('demo-portal')
      const query = `query ($id: ID!) { payment(paymentId: $id) { webhookDeliveries { ${FIELDS} } } }`
      const { data, errors } = await graph(query, { token, variables: { id: paymentId } })
      if (errors.length > 0) throw new Error(JSON.stringify(errors))
      return data.payment.webhookDeliveries
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  })
}
