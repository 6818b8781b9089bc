/** A server, the charging simulator and the wire between them, each of which can be killed, cut and restored. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CALLBACK_SECRET, freePort, Simulator, TOKEN } from '../../support/charging-simulator.ts'
import { createScratch, SECRETS_KEY } from '../../support/postgres.ts'
import { type ServerProcess, startProcess } from '../../support/process.ts'
import { startProxy, type TcpProxy } from '../../support/proxy.ts'

/** Where the server keeps what it knows, and how that is given back. */
const openPlace = async (folder: string): Promise<{ env: Record<string, string>; drop(): Promise<void> }> => {
  if (process.env['TEST_DATABASE'] !== 'postgres')
    return { env: { DATA_DIR: join(folder, 'data') }, drop: async () => undefined }
  const { url, drop } = await createScratch()
  return { env: { DATABASE_URL: url, SECRETS_KEY, DEMO: '1' }, drop }
}

export class Stage implements AsyncDisposable {
  readonly #env: Record<string, string>
  readonly #simulatorOptions: { port: number; dataDir: string; callbackUrl: string }
  readonly #giveBack: () => Promise<void>
  readonly wire: TcpProxy
  readonly address: string
  server!: ServerProcess
  simulator!: Simulator

  private constructor(
    env: Record<string, string>,
    wire: TcpProxy,
    simulator: { port: number; dataDir: string },
    giveBack: () => Promise<void>,
  ) {
    this.address = `http://127.0.0.1:${env['PORT']}`
    this.#env = env
    this.wire = wire
    this.#simulatorOptions = { ...simulator, callbackUrl: `${this.address}/charging/callbacks` }
    this.#giveBack = giveBack
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'partner-graph-charging-'))
    const place = await openPlace(folder)
    const port = await freePort()
    const wire = await startProxy('127.0.0.1', port)
    const env = {
      ...place.env,
      PORT: String(await freePort()),
      CHARGING: 'http',
      CHARGING_URL: `http://127.0.0.1:${wire.port}`,
      CHARGING_TOKEN: TOKEN,
      CHARGING_CALLBACK_SECRET: CALLBACK_SECRET,
      // A lease lasts five seconds longer: what a killed server had under way is not long in waiting.
      CHARGING_TIMEOUT_MS: '2000',
    }
    const giveBack = async () => {
      await place.drop()
      await rm(folder, { recursive: true, force: true })
    }
    const stage = new Stage(env, wire, { port, dataDir: join(folder, 'book') }, giveBack)
    await stage.startSimulator()
    await stage.startServer()
    return stage
  }

  async startServer(): Promise<void> {
    this.server = await startProcess(this.#env)
  }

  async startSimulator(): Promise<void> {
    this.simulator = await Simulator.start(this.#simulatorOptions)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.kill()
    await this.simulator.kill()
    await this.wire.close()
    await this.#giveBack()
  }
}
