/** Who shares an upstream subscription, on whose behalf it is held, and whom a failure of it concerns. */
import { GraphQLError } from 'graphql'
import type { EventStream } from '../../../subgraphs/shared/delivery/event-stream.ts'
import { ServiceError } from '../../../subgraphs/shared/errors.ts'
import { isPassing, type UpstreamEvent } from './resuming.ts'

/** What goes along to the subgraph on behalf of a subscriber. */
export type Headers = Readonly<Record<string, string>>

type Member = EventStream<UpstreamEvent>

/** A token that was refused is one subscriber's own, whatever the others may see. */
export const isUnauthorized = (error: unknown): boolean =>
  (error instanceof ServiceError && error.code === 'UNAUTHORIZED') ||
  (error instanceof GraphQLError && error.extensions['code'] === 'UNAUTHORIZED')

export class Members {
  readonly #members = new Map<Member, Headers>()
  #used: Headers = {}

  get size(): number {
    return this.#members.size
  }

  add(member: Member, headers: Headers): void {
    this.#members.set(member, headers)
  }

  delete(member: Member): void {
    this.#members.delete(member)
  }

  push(event: UpstreamEvent): void {
    for (const member of this.#members.keys()) member.push(event)
  }

  /** Those of who came last, whose token is likely to last longest. */
  headers(): Headers {
    this.#used = [...this.#members.values()].at(-1) ?? {}
    return this.#used
  }

  /** Ends those whom the failure concerns: everyone, but where a token was refused those alone whose it is. */
  end(error: unknown): void {
    for (const member of this.#concernedBy(error)) {
      if (isPassing(error)) member.fail('The events cannot be had at the moment', error)
      else member.refuse(error)
    }
  }

  #concernedBy(error: unknown): Member[] {
    const all = [...this.#members]
    const { authorization } = this.#used
    const concerned = isUnauthorized(error)
      ? all.filter(([, headers]) => headers['authorization'] === authorization)
      : all
    return concerned.map(([member]) => member)
  }
}
