/** A partner as the contract wants it: what got no response is posted again with the same correlator until it has one. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Body, ServiceFixture } from '../../support/fixtures/fixture.ts'

export interface Post {
  readonly fixture: ServiceFixture
  readonly client: string
  readonly token: string
  readonly correlator: string
  readonly body: Body
  /** Key of a client limit: owner and measure. */
  readonly holder: string
  readonly measure: number
}

/** A post that was answered for good: with the id of what is there, or refused by a limit. */
export interface Answered extends Post {
  readonly id?: string
  /** Where the answer came from. */
  readonly address: string
}

interface Answer {
  readonly address: string
  readonly status: number
  readonly location: string | null
  readonly body: Record<string, string>
}

const AGAIN_MS = 50
const PATIENCE_MS = 15_000
const PASSING = new Set([503, 504])
const LIMIT = 'CARRIER_BILLING.USER_AMOUNT_THRESHOLD_OVERPASSED'

export class Partner {
  readonly #addresses: readonly string[]
  #turn = 0
  /** How often something had to be posted again. */
  repeats = 0
  /** Answers after which it was posted again. */
  readonly passing: string[] = []
  readonly answered: Answered[] = []
  /** Answers that the contract does not foresee. */
  readonly unforeseen: string[] = []

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses
  }

  async post(post: Post): Promise<void> {
    for (;;) {
      const answer = await this.#send(post).catch(() => undefined)
      if (answer && !PASSING.has(answer.status)) return this.#note(post, answer)
      if (answer) this.passing.push(`${answer.address} ${answer.status} ${answer.body['message']}`)
      this.repeats++
      await delay(AGAIN_MS)
    }
  }

  async #send({ fixture, token, body }: Post): Promise<Answer> {
    const address = this.#addresses[this.#turn++ % this.#addresses.length]!
    const response = await fetch(address + fixture.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { status, headers } = response
    return {
      address,
      status,
      location: headers.get('location'),
      body: (await response.json()) as Record<string, string>,
    }
  }

  #note(post: Post, { address, status, body, location }: Answer) {
    const { idField, readable } = post.fixture
    const repeated =
      status === 400 ? new RegExp(`it is ${idField} (\\S+)$`).exec(body['message']!)?.[1] : undefined
    const isThere = repeated && (!readable || location?.endsWith(`/${repeated}`))
    if (status === 201 || isThere) this.answered.push({ ...post, address, id: repeated ?? body[idField]! })
    else if (status === 403 && body['code'] === LIMIT) this.answered.push({ ...post, address })
    else this.unforeseen.push(`POST ${post.fixture.path} ${status} ${JSON.stringify(body)}`)
  }
}
