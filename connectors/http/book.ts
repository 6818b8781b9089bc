/** The book of a charging system over HTTP, read page by page in the order of ids (`listOrders`, which is optional there). */
import { setTimeout as delay } from 'node:timers/promises'
import { NotSentError } from '#core/charging/charging.ts'
import type { ChargingSettings } from '#core/config/charging.ts'
import { SetupError } from '#core/errors/catalogue.ts'
import { ChargingClient, type HttpResponse } from './client.ts'
import {
  type BookEntry,
  type BookPage,
  type ReportedOrder,
  readBookPage,
  readState,
  saysUnknown,
} from './messages.ts'

/** Entries of a page, which fit into the longest response that is read. */
const PAGE = 200
const ATTEMPTS = 5
const FIRST_WAIT_MS = 200
const TOO_MANY = 429

/** Statuses of a system that does not serve its book. */
const NOT_SERVED = [404, 405, 501]

export interface ChargingBookOptions extends Pick<ChargingSettings, 'token' | 'timeoutMs'> {
  readonly url: string
}

/** The book of one system; to be closed. */
export class ChargingBook {
  readonly #client: ChargingClient
  readonly #timeoutMs: number
  /** Names the system in messages to operators. */
  readonly host: string

  constructor({ url, token, timeoutMs }: ChargingBookOptions) {
    this.host = new URL(url).host
    this.#timeoutMs = timeoutMs
    this.#client = new ChargingClient({ url, token, timeoutMs, connections: 1 })
  }

  /**
   * All entries by ascending id, each page when it is needed.
   * @throws SetupError saying what to do where the system does not serve its book, or not as the document says.
   */
  async *entries(): AsyncGenerator<BookEntry> {
    for (let after = '', more = true; more; ) {
      const page = this.#pageIn(await this.#get(`/orders?limit=${PAGE}${after && `&after=${after}`}`))
      for (const entry of page.orders) {
        if (entry.transactionId <= after)
          throw this.#fault('its orders do not stand in ascending order of their ids')
        after = entry.transactionId
        yield entry
      }
      if (page.more && page.orders.length === 0)
        throw this.#fault('a page is empty, and says that others follow')
      more = page.more
    }
  }

  /** Outcome of one order by now; undefined where the system does not know it. @throws SetupError. */
  async outcomeOf(transactionId: string): Promise<ReportedOrder['outcome'] | undefined> {
    const { status, body } = await this.#get(`/orders/${transactionId}`)
    if (status === 404 && saysUnknown(body)) return undefined
    const state = status === 200 ? readState(body) : undefined
    if (!state) throw this.#fault(`an order was answered with ${status}, or otherwise than described`)
    return state.outcome
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #pageIn({ status, body }: HttpResponse): BookPage {
    const page = status === 200 ? readBookPage(body) : undefined
    if (page) return page
    if (NOT_SERVED.includes(status))
      throw new SetupError(
        `the charging system at ${this.host} does not serve its book (GET /orders: ${status}); have it serve listOrders of schema/charging.openapi.yaml, or compare by hand as docs/connectors.md says, "Compare the books"`,
      )
    throw this.#fault(`GET /orders was answered with ${status}, or otherwise than described`)
  }

  #fault(what: string): SetupError {
    return new SetupError(`the book of the charging system at ${this.host} cannot be read: ${what}`)
  }

  /** Reading changes nothing, so that it is tried again, a few times. */
  async #get(path: string): Promise<HttpResponse> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === ATTEMPTS
      try {
        const response = await this.#client.send('GET', path, AbortSignal.timeout(this.#timeoutMs))
        if (last || (response.status !== TOO_MANY && response.status < 500)) return response
        await delay(response.retryAfterMs ?? FIRST_WAIT_MS * 2 ** attempt)
      } catch (error) {
        if (last || error instanceof NotSentError) throw this.#fault((error as Error).message)
        await delay(FIRST_WAIT_MS * 2 ** attempt)
      }
    }
  }
}
