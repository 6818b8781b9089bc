/** Who shares an upstream subscription, on whose behalf it is held, and whom a failure of it concerns. */
import { GraphQLError } from 'graphql'
import { ServiceError } from '#core/errors/catalogue.ts'
import type { EventStream } from '#core/events/stream.ts'
import { isTransient, type UpstreamEvent } from './reconnecting-stream.ts'

/** What goes along to the subgraph on behalf of a subscriber. */
export type Headers = Readonly<Record<string, string>>

type Subscriber = EventStream<UpstreamEvent>

/** A token that was refused is one subscriber's own, whatever the others may see. */
export const isUnauthorized = (error: unknown): boolean =>
  (error instanceof ServiceError && error.code === 'UNAUTHORIZED') ||
  (error instanceof GraphQLError && error.extensions['code'] === 'UNAUTHORIZED')

export class Subscribers {
  readonly #subscribers = new Map<Subscriber, Headers>()
  #used: Headers = {}

  get size(): number {
    return this.#subscribers.size
  }

  add(subscriber: Subscriber, headers: Headers): void {
    this.#subscribers.set(subscriber, headers)
  }

  delete(subscriber: Subscriber): void {
    this.#subscribers.delete(subscriber)
  }

  push(event: UpstreamEvent): void {
    for (const subscriber of this.#subscribers.keys()) subscriber.push(event)
  }

  /** Those of who came last, whose token is likely to last longest. */
  headers(): Headers {
    this.#used = [...this.#subscribers.values()].at(-1) ?? {}
    return this.#used
  }

  /** Ends those whom the failure concerns: everyone, but where a token was refused those alone whose it is. */
  end(error: unknown): void {
    for (const subscriber of this.#concernedBy(error)) {
      if (isTransient(error)) subscriber.fail('The events cannot be had at the moment', error)
      else subscriber.refuse(error)
    }
  }

  #concernedBy(error: unknown): Subscriber[] {
    const all = [...this.#subscribers]
    const { authorization } = this.#used
    const concerned = isUnauthorized(error)
      ? all.filter(([, headers]) => headers['authorization'] === authorization)
      : all
    return concerned.map(([subscriber]) => subscriber)
  }
}
