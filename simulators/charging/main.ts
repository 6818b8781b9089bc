/** `npm run charging-simulator`: a charging system to try with, as a process of its own (docs/connectors.md). */
import type { AddressInfo } from 'node:net'
import { environmentWith } from '../../subgraphs/shared/config/config.ts'
import { Reader } from '../../subgraphs/shared/config/reader.ts'
import { Book } from './book.ts'
import { createTeller } from './callbacks.ts'
import { checkFaults, Faults } from './faults.ts'
import { Orders } from './orders.ts'
import { createSimulator } from './server.ts'

const USAGE = `npm run charging-simulator

A charging system to try with. All are optional environment variables:
  PORT, HOST                 where it listens (4100, 127.0.0.1); PORT=0 picks a free port
  CHARGING_TOKEN             the bearer token it wants (charging-simulator)
  DATA_DIR                   where its book is kept (.data/charging-simulator); memory: keeps nothing
  CALLBACK_URL               where results of pending orders are told: /charging/callbacks of the services
  CHARGING_CALLBACK_SECRET   what it signs that with
  FAULTS                     what is to go wrong, as JSON; PUT /faults changes it while it runs`

const readSettings = () => {
  const read = new Reader(environmentWith({}))
  return {
    port: read.integer('PORT', 4100, 0, 65_535),
    host: read.text('HOST', '127.0.0.1'),
    token: read.text('CHARGING_TOKEN', 'charging-simulator'),
    dataDir: read.text('DATA_DIR', '.data/charging-simulator'),
    callback: {
      url: read.optional('CALLBACK_URL'),
      secret: read.text('CHARGING_CALLBACK_SECRET', ''),
    },
    faults: checkFaults(JSON.parse(read.text('FAULTS', '[]'))),
    wrong: read.faults,
  }
}

const start = async () => {
  const { port, host, token, dataDir, callback, faults: chosen, wrong } = readSettings()
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  const [book, faults] = [await Book.open(dataDir), new Faults()]
  faults.set(chosen)
  const orders = new Orders({ book, faults, onDone: createTeller(callback) })
  const server = createSimulator({ book, orders, faults, token })
  server.listen(port, host, () => {
    const { port: taken } = server.address() as AddressInfo
    console.log(`charging simulator is ready at http://${host}:${taken}`)
  })
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
