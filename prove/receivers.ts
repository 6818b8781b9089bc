/** Receivers of webhooks in one process: each has a mood, which changes, and all are well at the end. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from './clients/posts.ts'
import type { Recorder } from './history/recorder.ts'

/** Ways in which a receiver answers. @returns the status that was sent whole; 0 for none. */
const MOODS = {
  well: async response => end(response, 204),
  failing: async response => end(response, 500),
  busy: async response => end(response, 503, { 'retry-after': '1' }),
  /** Never answers: the program's own limit has to end it. */
  hanging: async () => 0,
  /** Answers byte by byte, for longer than the program waits. */
  dripping: async response => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    for (let n = 0; n < 300 && !response.destroyed; n++) {
      response.write('.')
      await delay(100)
    }
    response.end()
    return 200
  },
  /** Cuts the connection once it has taken the event. */
  cutting: async response => {
    response.destroy()
    return 0
  },
  /** Redirects, which is no success and is not followed. */
  leading: async response => end(response, 302, { location: 'http://127.0.0.1:1/elsewhere' }),
  /** Says with success something that is none of its business. */
  lying: async response =>
    end(response, 200, { 'content-type': 'application/json' }, '{"status":"failed","retry":true}'),
  /** Says that it is gone, which ends the attempts until somebody sends again. */
  gone: async response => end(response, 410),
} as const satisfies Record<string, (response: ServerResponse) => Promise<number>>

type Mood = keyof typeof MOODS
const NAMES = Object.keys(MOODS) as Mood[]

const end = (response: ServerResponse, status: number, headers = {}, body = ''): number => {
  response.writeHead(status, headers).end(body)
  return status
}

export const RECEIVERS = ['steady', 'moody', 'moodier', 'stubborn'] as const

export class ReceiverHost implements AsyncDisposable {
  readonly #server: Server
  readonly #recorder: Recorder
  readonly #random: Random
  readonly #moods = new Map<string, Mood>(
    RECEIVERS.map(name => [name, name === 'stubborn' ? 'failing' : 'well']),
  )
  readonly #timer: NodeJS.Timeout

  private constructor(recorder: Recorder, random: Random) {
    this.#recorder = recorder
    this.#random = random
    this.#server = createServer(
      (request, response) => void this.#take(request, response).catch(() => undefined),
    )
    this.#timer = setInterval(() => this.#change(), 1_500)
  }

  static async open(recorder: Recorder, random: Random): Promise<ReceiverHost> {
    const host = new ReceiverHost(recorder, random)
    await once(host.#server.listen(0, '127.0.0.1'), 'listening')
    return host
  }

  /** Addresses to post, by the name of the receiver. */
  get addresses(): ReadonlyMap<string, string> {
    const { port } = this.#server.address() as AddressInfo
    return new Map(RECEIVERS.map(name => [name, `http://127.0.0.1:${port}/${name}`]))
  }

  #change(): void {
    for (const name of ['moody', 'moodier']) this.#moods.set(name, NAMES[this.#random(NAMES.length)]!)
  }

  /** All answer with 204 from now on. */
  heal(): void {
    clearInterval(this.#timer)
    for (const name of RECEIVERS) this.#moods.set(name, 'well')
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receiver = request.url!.split('/')[1]!
    const at = Date.now()
    const body: unknown = JSON.parse(await text(request))
    const mood = this.#moods.get(receiver) ?? 'failing'
    const status = await MOODS[mood](response)
    this.#recorder.write({ t: 'hook', at, receiver, status, mood, body })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
