/**
 * Many subscribers, alone in their process: graphql-transport-ws by hand over `ws`, since what a client library does
 * for each message would be measured along with the server.
 */
import { WebSocket } from 'ws'
import { Arrivals, type Expectation } from './arrivals.ts'
import { serveCalls } from './worker.ts'

export interface SubscribeJob {
  /** `ws://…/graphql` */
  readonly url: string
  readonly clients: number
  /** `Authorization` values, taken in turns. */
  readonly tokens: readonly string[]
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Results with errors in them are only not counted as arrived; else they fail the run. */
  readonly tolerant?: boolean
}

/** Connections that are being opened at a time. */
const OPENING = 64

const arrivals = new Arrivals()
const faults: string[] = []

const take = (text: string, tolerant: boolean) => {
  const isFaulty = text.includes('"errors":')
  if (isFaulty && !tolerant) faults.push(text)
  if (!isFaulty || !tolerant) arrivals.add(text)
}

const handle = (socket: WebSocket, text: string, tolerant: boolean, subscribe: () => void) => {
  const type = /"type":"(\w+)"/.exec(text)?.[1]
  if (type === 'next') take(text, tolerant)
  else if (type === 'connection_ack') subscribe()
  else if (type === 'ping') socket.send('{"type":"pong"}')
  else if (type !== 'pong') faults.push(text)
}

/** Resolves when the server has acknowledged the client and been sent its subscription. */
const open = ({ url, tokens, query, variables, tolerant = false }: SubscribeJob, index: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(url, 'graphql-transport-ws', { perMessageDeflate: false })
    const send = (message: object) => socket.send(JSON.stringify(message))
    const payload = { Authorization: tokens[index % tokens.length] }
    socket.once('open', () => send({ type: 'connection_init', payload }))
    socket.once('error', reject)
    socket.once('close', (code, reason) => {
      faults.push(`closed with ${code} ${reason}`)
      reject(new Error(`a subscriber was closed with ${code} ${reason}`))
    })
    socket.on('message', data =>
      handle(socket, String(data), tolerant, () => {
        send({ type: 'subscribe', id: '1', payload: { query, variables } })
        resolve()
      }),
    )
  })

const openAll = async (job: SubscribeJob) => {
  const indexes = Array(job.clients).keys()
  const openNext = async () => {
    for (const index of indexes) await open(job, index)
  }
  await Promise.all(Array.from({ length: OPENING }, openNext))
}

const withoutFault = () => {
  if (faults.length > 0) throw new Error(`${faults.length} faults, the first: ${faults[0]}`)
}

serveCalls({
  open: openAll,
  reset: () => arrivals.reset(),
  report() {
    withoutFault()
    return arrivals.report()
  },
  async until(expected: Expectation) {
    const arrived = await arrivals.until(expected)
    withoutFault()
    return arrived
  },
})
