/** A partner: it posts, posts again what got no answer, repeats what was answered, reads, and follows its lists. */
import { setTimeout as delay } from 'node:timers/promises'
import { withField } from '#test/support/fields.ts'
import type { AnswerLine, CallLine } from '../history/lines.ts'
import { type Outcome, outcomesOf } from '../history/outcome.ts'
import { KINDS, kindOf } from '../kinds.ts'
import type { Caller, Request } from './caller.ts'
import { NUMBERS, type Prepared, preparePost, type Random, type Receivers } from './posts.ts'

const AGAIN_MS = 250
const MOST_AGAIN = 12
const PER_PAGE = 20

/** A transaction that is known to be there. */
export interface Known {
  readonly kind: string
  readonly id: string
  readonly client: string
}

export interface PartnerOptions {
  readonly caller: Caller
  readonly random: Random
  readonly receivers: Receivers
  /** Part of the names of what it posts, so that no two workers use one. */
  readonly worker: number
  /** Transactions of all partners, to be read, repeated and taken back. */
  readonly known: Known[]
}

const MUTATION = ({ fixture }: Prepared) =>
  `mutation ($input: ${fixture.input}!) { result: ${fixture.mutation}(input: $input) { ${fixture.idField} transactionOperationStatus } }`

const KEYED_MUTATION = ({ fixture }: Prepared) =>
  `mutation ($input: ${fixture.input}!, $key: String) { result: ${fixture.mutation}(input: $input, idempotencyKey: $key) { ${fixture.idField} transactionOperationStatus } }`

const BATCH = `mutation ($input: SendSmsBatchInput!) { result: sendSmsBatch(input: $input) {
  recipient message { otlTransactionId transactionOperationStatus } error { code message existingId } } }`

/** The request of a post, over the interface that was chosen for it. */
const requestOf = (prepared: Prepared): Request => {
  const { fixture, via, body, post } = prepared
  const shared = { op: 'post', posts: [post], isDigested: post.key !== undefined }
  const headers: Record<string, string> = post.key === undefined ? {} : { 'idempotency-key': post.key }
  return via === 'rest'
    ? { ...shared, via, method: 'POST', path: fixture.path, body, headers }
    : {
        ...shared,
        via,
        method: 'POST',
        path: '/graphql',
        body: { query: MUTATION(prepared), variables: { input: body } },
      }
}

const PASSING = new Set<Outcome['is']>(['unknown', 'not-written'])

export class Partner {
  readonly #options: PartnerOptions
  #posted = 0
  /** Index up to which each list was read, by kind. */
  readonly #read = new Map<string, number>()

  constructor(options: PartnerOptions) {
    this.#options = options
  }

  #nextName(): string {
    const { caller, worker } = this.#options
    return `${caller.id}-${worker}-${++this.#posted}`
  }

  /** One step of its work, chosen at random. */
  async step(): Promise<void> {
    const { random } = this.#options
    const choice = random(20)
    if (choice < 12) await this.#post()
    else if (choice < 14) await this.#follow()
    else if (choice < 16) await this.#readOne()
    else if (choice < 17) await this.#batch()
    else await this.#look()
  }

  async #post(): Promise<void> {
    const { caller, random, receivers } = this.#options
    const prepared = preparePost({ client: caller.id, name: this.#nextName(), random, receivers })
    const request = requestOf(prepared)
    // One in six is given up when its outcome is not known, so that there are some of which nobody knows.
    const attempts = random(6) === 0 ? 1 : MOST_AGAIN
    // A post that is known by its reference alone is rare, and so repeated more often.
    const isRepeated = random(prepared.post.correlator ? 10 : 2) === 0
    const outcome = await this.#until(request, attempts)
    if (outcome?.is !== 'written') return
    if (isRepeated) await caller.call(request)
    if (prepared.post.key !== undefined) await this.#useKeyAgain(prepared, request, outcome.id)
  }

  /** The same request under its key again, another one under it, or the same over the graph. */
  async #useKeyAgain(prepared: Prepared, request: Request, id: string): Promise<void> {
    const { caller, random } = this.#options
    const { fixture, body, post } = prepared
    const choice = random(3)
    if (choice === 0) return void (await caller.call(request))
    if (choice === 1) {
      const correlator = `${post.correlator}-2`
      const other = withField(body, fixture.correlator, correlator)
      return void (await caller.call({
        ...request,
        op: 'reuse',
        body: other,
        posts: [{ ...post, correlator }],
      }))
    }
    const variables = { input: body, key: post.key! }
    await caller.graph({ op: 'replay', about: { id, kind: post.kind } }, KEYED_MUTATION(prepared), variables)
  }

  /** Posts until the outcome is known. */
  async #until(request: Request, attempts: number): Promise<Outcome | undefined> {
    const { caller, known } = this.#options
    for (let attempt = 0; attempt < attempts; attempt++) {
      const answer = await caller.call(request)
      const outcomes = answer
        ? outcomesOf({ ...request, posts: request.posts! } as CallLine, answer as AnswerLine)
        : []
      outcomes.forEach((outcome, index) => {
        const id = 'id' in outcome ? outcome.id : undefined
        if (id) known.push({ kind: request.posts![index]!.kind, id, client: caller.id })
      })
      if (outcomes.length > 0 && !outcomes.some(({ is }) => PASSING.has(is))) return outcomes[0]
      await delay(AGAIN_MS)
    }
    return undefined
  }

  /** The same number twice among the recipients is refused, and so is not tried here. */
  async #batch(): Promise<void> {
    const name = this.#nextName()
    const input = { clientCorrelatorId: name, sender: 'Prove', recipients: NUMBERS, smsText: `Batch ${name}` }
    const posts = NUMBERS.map((holder, index) => ({
      kind: 'MESSAGE',
      correlator: `${name}-${index + 1}`,
      holder,
    }))
    const body = { query: BATCH, variables: { input } }
    await this.#until(
      { op: 'batch', via: 'graph', method: 'POST', path: '/graphql', body, posts },
      MOST_AGAIN,
    )
  }

  /** The next page of one of its lists, from where it has read. */
  async #follow(): Promise<void> {
    const { random } = this.#options
    const listed = KINDS.filter(({ isListed }) => isListed)
    await this.follow(listed[random(listed.length)]!.name)
  }

  /** @returns whether there was something new. */
  async follow(name: string): Promise<boolean> {
    const { caller } = this.#options
    const { path, idField } = kindOf(name)
    const seek = this.#read.get(name) ?? 0
    const answer = await caller.call({
      op: 'list',
      via: 'rest',
      path: `${path}?seek=${seek}&perPage=${PER_PAGE}`,
      about: { kind: name, seek, perPage: PER_PAGE },
      keep: body => (Array.isArray(body) ? body.map(one => keptOf(one, idField)) : body),
    })
    if (answer?.status !== 200) return true
    const last = Number(answer.headers?.['content-last-key'])
    this.#read.set(name, last)
    return last > seek
  }

  /** Reads a transaction by its id: its own as a rule, at times another's, which it must not see. */
  async #readOne(): Promise<void> {
    const { caller, known, random } = this.#options
    const one = known[random(Math.max(1, known.length))]
    if (!one) return
    const { path, isListed } = kindOf(one.kind)
    const about = { kind: one.kind, id: one.id }
    if (isListed && random(2) === 0)
      return void (await caller.call({ op: 'read', via: 'rest', path: `${path}/${one.id}`, about }))
    await caller.graph(
      { op: 'read', about },
      'query ($id: ID!) { transaction(id: $id) { id transactionOperationStatus clientCorrelatorId } }',
      { id: one.id },
    )
  }

  /** Asks what all partners ask alike, so that an answer shared between clients would show. */
  async #look(): Promise<void> {
    const { caller, random } = this.#options
    await caller.graph({ op: 'look' }, LOOKS[random(LOOKS.length)]!)
  }
}

const keptOf = (one: Record<string, unknown>, idField: string) => ({
  id: one[idField],
  status: one['transactionOperationStatus'],
})

/** Queries whose answers depend on who asks. */
export const LOOKS = [
  '{ timeline(first: 5) { totalCount nodes { kind transaction { id transactionOperationStatus clientCorrelatorId } } } }',
  '{ payments(first: 5) { totalCount nodes { paymentId transactionOperationStatus clientCorrelatorId } } }',
  `{ subscriber(mobileNumber: "+96891000007") { rewards(first: 3) { totalCount nodes { rewardId clientCorrelatorId } }
    redemptions(first: 3) { totalCount nodes { redemptionId clientCorrelatorId } } } }`,
  `{ customer(customerAccountNumber: "100001") { timeline(first: 5) { nodes { transaction { id clientCorrelatorId } } }
    payments(first: 5) { nodes { paymentId clientCorrelatorId } } } }`,
  '{ summary(by: ALL, groupBy: [KIND, PARTNER]) { kind partner { id } count } }',
]
