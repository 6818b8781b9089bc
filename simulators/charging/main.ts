/** `npm run charging-simulator`: a charging system for tests and trials. Its faults can be chosen, and it sends callbacks. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { environmentWith } from '#core/config/config.ts'
import { EnvReader, integer, text } from '#core/config/setting.ts'
import { signatureHeaders } from '#core/webhooks/message.ts'
import { Book, type Entry } from './book.ts'
import { checkFaults, type Fault, Faults } from './faults.ts'
import { Orders } from './orders.ts'
import { createSimulator } from './server.ts'

interface CallbackOptions {
  /** Address of `/charging/callbacks` of the services; undefined for no callbacks. */
  readonly url: string | undefined
  /** `CHARGING_CALLBACK_SECRET` of the services. */
  readonly secret: string
}

/** Most attempts at one callback; the wait between them doubles from the first. */
const ATTEMPTS = 6
const FIRST_WAIT_MS = 200
/** Longest time of one attempt, in milliseconds. */
const ATTEMPT_MS = 5_000

/** Sends one callback. @returns whether the services accepted it. */
const send = async (
  { url, secret }: CallbackOptions,
  { transactionId, outcome, reason }: Entry,
): Promise<boolean> => {
  const body = JSON.stringify({ transactionId, outcome, reason })
  const headers = signatureHeaders(`${transactionId}-${outcome}`, body, [secret], Date.now())
  const response = await fetch(url!, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(ATTEMPT_MS),
  })
  return response.status === 204
}

/** Makes the function that reports an order by callbacks. After the last attempt a callback is given up. */
const createReporter =
  (options: CallbackOptions) =>
  async (entry: Entry, times: number): Promise<void> => {
    if (!options.url) return
    for (let time = 0; time < times; time++)
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (await send(options, entry).catch(() => false)) break
        await delay(FIRST_WAIT_MS * 2 ** attempt, undefined, { ref: false })
      }
  }

const SETTINGS = {
  PORT: integer(4_100, [0, 65_535], 'the port to listen on; 0 picks a free one'),
  HOST: text('the address to listen on', '127.0.0.1'),
  CHARGING_TOKEN: text('the bearer token that it wants', 'charging-simulator'),
  DATA_DIR: text('the folder that keeps its book; memory: keeps nothing', '.data/charging-simulator'),
  CALLBACK_URL: text('the address for results of pending orders: /charging/callbacks of the services'),
  CHARGING_CALLBACK_SECRET: text('the secret that signs these callbacks'),
  FAULTS: text('the faults to make, as JSON; PUT /faults changes them while it runs', '[]'),
} as const

const USAGE = `npm run charging-simulator

A charging system for trials. Its settings are environment variables, all of them optional:
${Object.entries(SETTINGS)
  .map(([name, { meaning, default: fallback }]) => `  ${name.padEnd(26)} ${meaning} (${fallback || 'unset'})`)
  .join('\n')}`

/** Reads the faults of the environment. @throws Error where they are no list of faults in JSON. */
const parseFaults = (json: string): readonly Fault[] => {
  try {
    return checkFaults(JSON.parse(json))
  } catch (error) {
    const example = '[{ "fault": "lost", "share": 0.3 }]'
    throw new Error(`FAULTS must be JSON such as ${example}: ${(error as Error).message}`, { cause: error })
  }
}

/** Reads the settings. @throws Error that names every wrong one. */
const readSettings = () => {
  const read = new EnvReader(environmentWith({}), SETTINGS)
  const callback = { url: read.optional('CALLBACK_URL'), secret: read.text('CHARGING_CALLBACK_SECRET') }
  // Without it the services would refuse every callback.
  const isSigned = callback.url === undefined || callback.secret !== ''
  read.expect(isSigned, 'CHARGING_CALLBACK_SECRET', 'set where CALLBACK_URL is')
  const [port, host] = [read.integer('PORT'), read.text('HOST')]
  if (read.faults.length > 0) throw new Error(read.faults.join('\n'))
  return {
    port,
    host,
    token: read.text('CHARGING_TOKEN'),
    dataDir: read.text('DATA_DIR'),
    callback,
    faults: parseFaults(read.text('FAULTS')),
  }
}

const start = async () => {
  const { port, host, token, dataDir, callback, faults: chosen } = readSettings()
  const [book, faults] = [await Book.open(dataDir), new Faults()]
  faults.set(chosen)
  const orders = new Orders({ book, faults, onDone: createReporter(callback) })
  const server = createSimulator({ book, orders, faults, token })
  // Rejects where the port is taken.
  await once(server.listen(port, host), 'listening')
  const { port: taken } = server.address() as AddressInfo
  console.log(`charging simulator is ready at http://${host}:${taken}`)
  const stop = () => {
    orders.stop()
    server.closeAllConnections()
    server.close(() => void book.close())
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
}

if (process.argv.includes('--help')) console.log(USAGE)
else
  await start().catch(error => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  })
