/** Shared by the tests of rewards and redemptions: a stack, REST and GraphQL, and posting by either service. */
import { randomUUID } from 'node:crypto'
import { readBalances } from '#core/charging/booking.ts'
import type { EmbeddedCharging } from '#core/charging/charging.ts'
import { createGraph } from '../support/graph.ts'
import { createRest, type RestAnswer } from '../support/rest.ts'
import { type Stack, type StackOptions, startStack } from '../support/stack.ts'

export const REWARDS = '/loyalty/v1/reward-points'
export const REDEMPTIONS = '/loyaltyredemption/v1/redemptions'

/** A charging system that finds a fault in every order. */
export const faulty: EmbeddedCharging = {
  embedded: true,
  post: async (_, orders) => orders.map(() => ({ outcome: 'failed', reason: 'The number is being moved' })),
}

type Fields = Record<string, unknown>

/** The body of a reward; `more` replaces or, where undefined, removes fields of the transaction. */
export const rewardOf = (mobileNumber: string, rewardPoints: number, more: Fields = {}) => ({
  rewardTransaction: {
    clientCorrelatorId: randomUUID(),
    mobileNumber,
    rewardInformation: { rewardPoints },
    ...more,
  },
})

/** The body of a redemption; `more` as for a reward. */
export const redemptionOf = (mobileNumber: string, redemptionPoints: number, more: Fields = {}) => ({
  redemptionTransaction: {
    clientCorrelatorId: randomUUID(),
    mobileNumber,
    redemptionInformation: { redemptionPoints },
    ...more,
  },
})

export interface PointsStack extends AsyncDisposable {
  readonly stack: Stack
  readonly rest: ReturnType<typeof createRest>
  readonly graph: ReturnType<typeof createGraph>
  /** Posts to a service by REST. */
  post(path: string, body: object, token?: string): Promise<RestAnswer>
  /** Reads by REST. */
  get(path: string, token?: string): Promise<RestAnswer>
  /** The points of a number, as the ledger has them. */
  pointsOf(digits: string): Promise<number>
}

/** Starts everything; `partner` is the token used unless another is given. */
export async function openPoints(options?: StackOptions): Promise<PointsStack & { partner: string }> {
  const stack = await startStack(options)
  const [rest, graph, partner] = [createRest(stack.address), createGraph(stack.address), await stack.token()]
  return {
    stack,
    rest,
    graph,
    partner,
    post: (path, body, token = partner) => rest('POST', path, { token, body }),
    get: (path, token = partner) => rest('GET', path, { token }),
    async pointsOf(holder) {
      const [points] = await readBalances(stack.app.db, [{ kind: 'points', owner: holder, currency: '' }])
      return points!.toNumber()
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
