/** The simulated message centre as a process of its own, with its book and its faults. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Book, Entry } from '#simulators/smpp/book.ts'
import type { Faults } from '#simulators/smpp/faults.ts'

const MAIN = join(import.meta.dirname, '../../simulators/smpp/main.ts')

export interface SmppSimulator extends AsyncDisposable {
  /** Its address with the account, and options such as `window=3`. */
  url(options?: string): string
  book(): Promise<Book>
  /** Messages to one recipient that it has accepted. */
  to(recipient: string): Promise<Entry[]>
  /** Texts as phones would show them, in the order in which each was whole. */
  texts(): Promise<{ destination: string; text: string }[]>
  /** Changes its faults. */
  set(faults: Partial<Faults>): Promise<Faults>
  faults(): Promise<Faults>
  /** Begins a new book. */
  forget(): Promise<void>
  /** Ends every connection. */
  cut(): Promise<void>
  /** Unbinds from every connection, in order. */
  unbind(): Promise<void>
  /** Sends so many receipts of messages that are not ours over every connection at once. */
  flood(receipts: number): Promise<void>
  kill(): Promise<void>
}

interface Ready {
  readonly smpp: string
  readonly admin: string
}

const ready = async (child: ChildProcess): Promise<Ready> => {
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line)
  throw new Error('the simulator did not start')
}

/** Starts one on free ports, or on a port where one was before. */
export async function startSmppSimulator(faults: Partial<Faults> = {}, port = 0): Promise<SmppSimulator> {
  const args = Object.entries(faults).map(([name, value]) => `${name}=${value}`)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: { PATH: process.env['PATH'], PORT: String(port), ADMIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const { smpp, admin } = await ready(child)
  child.stdout!.resume()
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${admin}${path}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json() as Promise<T>
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  const book = () => ask<Book>('GET', '/book')
  return {
    url: (options = '') => `${smpp.replace('//', '//partner:s%40cret@')}?${options}`,
    book,
    to: async recipient => (await book()).entries.filter(({ destination }) => destination === recipient),
    texts: () => ask('GET', '/texts'),
    set: changes => ask('PATCH', '/faults', changes),
    faults: () => ask('GET', '/faults'),
    forget: async () => void (await ask('DELETE', '/book')),
    cut: async () => void (await ask('POST', '/cut')),
    unbind: async () => void (await ask('POST', '/unbind')),
    flood: async receipts => void (await ask('POST', '/flood', { receipts })),
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
