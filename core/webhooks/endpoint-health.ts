/**
 * What this process knows of the receivers, client by client: what one client's webhooks do to a receiver says nothing
 * about another's. It is kept in memory alone: another process finds out for itself, and after a start everyone is
 * believed to be well.
 */
import { ClientReceivers, type ReceiverOptions, type ReceiverState } from './client-endpoints.ts'

/** A client's receiver of which something is known. */
export interface KnownReceiver extends ReceiverState {
  readonly clientId: string
}

/** Whose attempt to which receiver. */
export interface Target {
  readonly clientId: string
  readonly origin: string
}

export class EndpointHealth {
  readonly #clients = new Map<string, ClientReceivers>()
  readonly #options: ReceiverOptions
  #underWay = 0

  constructor(options: ReceiverOptions) {
    this.#options = options
  }

  /** Attempts under way to all receivers. */
  get underWay(): number {
    return this.#underWay
  }

  /** Attempts under way to the receivers of one client. */
  underWayOf(clientId: string): number {
    return this.#clients.get(clientId)?.underWay ?? 0
  }

  started({ clientId, origin }: Target): void {
    const client = this.#clients.get(clientId) ?? new ClientReceivers(this.#options)
    this.#clients.set(clientId, client)
    client.started(origin)
    this.#underWay++
  }

  /** @param well whether the receiver answered, be it with a refusal. */
  ended({ clientId, origin }: Target, well: boolean): void {
    const client = this.#clients.get(clientId)!
    client.ended(origin, well)
    this.#underWay--
    if (client.isEmpty) this.#clients.delete(clientId)
  }

  /** Those of these clients of which something is known. */
  known(clientIds: Iterable<string>): KnownReceiver[] {
    return [...clientIds].flatMap(clientId =>
      (this.#clients.get(clientId)?.known() ?? []).map(state => ({ clientId, ...state })),
    )
  }
}
