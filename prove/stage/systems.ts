/** Systems behind the program: a charging system and a message centre, each a process with a wire before it. */
import { join } from 'node:path'
import type { Fault } from '#simulators/charging/faults.ts'
import type { Faults } from '#simulators/smpp/faults.ts'
import type { BookLine } from '../history/lines.ts'
import { Process, stablePort } from './process.ts'
import { Wire } from './wire.ts'

const TOKEN = 'charging-token-of-the-run'
const CALLBACK_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
const ROOT = join(import.meta.dirname, '../..')
const ANSWER_MS = 10_000

/** All that a charging system does to us in an ordinary run; the nemesis adds what is out of the ordinary. */
export const USUAL_FAULTS: readonly Fault[] = [
  { fault: 'decline', share: 0.06, reason: 'The charging system declined it' },
  { fault: 'pending', share: 0.06, ms: 400, callbacks: 2 },
  { fault: 'pending', share: 0.04, ms: 400, callbacks: 0 },
  { fault: 'reserve', share: 0.06 },
  { fault: 'lost', share: 0.02 },
  { fault: 'twice', share: 0.02 },
]

export class Systems implements AsyncDisposable {
  readonly charging: Process
  readonly centre: Process
  readonly chargingWire: Wire
  readonly centreWire: Wire
  readonly #adminPort: number

  private constructor(
    [charging, centre]: readonly [Process, Process],
    [chargingWire, centreWire]: readonly [Wire, Wire],
    adminPort: number,
  ) {
    this.charging = charging
    this.centre = centre
    this.chargingWire = chargingWire
    this.centreWire = centreWire
    this.#adminPort = adminPort
  }

  /** @param callbackUrl of a server of the run. */
  static async open(folder: string, callbackUrl: string): Promise<Systems> {
    const [chargingPort, centrePort, adminPort] = [await stablePort(), await stablePort(), await stablePort()]
    const charging = new Process({
      name: 'charging-system',
      args: [join(ROOT, 'simulators/charging/main.ts')],
      env: {
        DATA_DIR: join(folder, 'charging'),
        CHARGING_TOKEN: TOKEN,
        CALLBACK_URL: callbackUrl,
        CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
      },
      logFile: join(folder, 'charging-system.log'),
      port: chargingPort,
    })
    const centre = new Process({
      name: 'message-centre',
      args: [join(ROOT, 'simulators/smpp/main.ts')],
      env: { ADMIN_PORT: String(adminPort) },
      logFile: join(folder, 'message-centre.log'),
      port: centrePort,
    })
    await Promise.all([charging.start(), centre.start()])
    const wires = [
      await Wire.open('charging-wire', chargingPort),
      await Wire.open('centre-wire', centrePort),
    ] as const
    const systems = new Systems([charging, centre], wires, adminPort)
    await systems.chargingFaults(USUAL_FAULTS)
    return systems
  }

  /** Settings of servers that they settle by. */
  get env(): Record<string, string> {
    return {
      CHARGING: 'http',
      CHARGING_URL: `http://127.0.0.1:${this.chargingWire.port}`,
      CHARGING_TOKEN: TOKEN,
      CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
      CHARGING_TIMEOUT_MS: '2000',
      SMS: 'smpp',
      SMPP_URL: `smpp://partner:secret@127.0.0.1:${this.centreWire.port}?window=10&timeout=3&centre=run`,
      SMPP_RESEND_SECONDS: '5',
    }
  }

  async chargingFaults(faults: readonly Fault[]): Promise<void> {
    await this.#charging('PUT', '/faults', faults)
  }

  async centreFaults(faults: Partial<Faults>): Promise<void> {
    await this.#ask('PATCH', `http://127.0.0.1:${this.#adminPort}/faults`, {}, faults)
  }

  /** Books of both. */
  async books(): Promise<BookLine[]> {
    const orders = (await this.#charging('GET', '/orders')) as Record<string, unknown>[]
    const taken = (await this.#ask('GET', `http://127.0.0.1:${this.#adminPort}/book`, {})) as {
      entries: Record<string, unknown>[]
    }
    return [
      ...orders.map(entry => ({ t: 'book', book: 'charging', entry }) as const),
      ...taken.entries.map(entry => ({ t: 'book', book: 'smpp', entry }) as const),
    ]
  }

  #charging(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#ask(method, this.charging.address + path, { authorization: `Bearer ${TOKEN}` }, body)
  }

  async #ask(method: string, url: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method,
      headers: { connection: 'close', ...headers },
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${url} ${response.status} ${await response.text()}`)
    return response.json()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.charging.kill(), this.centre.kill()])
    await this.chargingWire[Symbol.asyncDispose]()
    await this.centreWire[Symbol.asyncDispose]()
  }
}
