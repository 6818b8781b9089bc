/** Exports and test events of one client leave the process to the others. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#core/data/db.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { createGraph } from '../../support/graph.ts'
import { openTestApp, type TestApp } from '../../support/stack.ts'
import { readingThrough } from '../../support/statements.ts'

/** Moments on a machine that has nothing else to do. */
const SOON = { timeout: 10_000 }

/** Statements that read pages of exports, held until the gate opens. */
class Gate {
  readonly #held: (() => void)[] = []
  #isOpen = false
  /** Most reads that were in flight at once. */
  most = 0
  #inFlight = 0

  async pass<T>(read: () => Promise<T>): Promise<T> {
    this.#inFlight += 1
    this.most = Math.max(this.most, this.#inFlight)
    if (!this.#isOpen) await new Promise<void>(go => this.#held.push(go))
    return read().finally(() => (this.#inFlight -= 1))
  }

  get inFlight(): number {
    return this.#inFlight
  }

  close(): void {
    this.#isOpen = false
    this.most = 0
  }

  open(): void {
    this.#isOpen = true
    for (const go of this.#held.splice(0)) go()
  }
}

const EXPORTED = /FROM activity\.entry/

const gated = (db: Db, gate: Gate): Db =>
  readingThrough(db, (statement, send) => (EXPORTED.test(statement.sql) ? gate.pass(send) : send()))

describe('long calls', () => {
  const gate = new Gate()
  let opened: TestApp
  let server: RunningServer
  let address: string
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    opened = await openTestApp({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
    const { app } = opened
    server = await createAllInOne({ ...app, db: gated(app.db, gate) })
    address = await server.http.listen({ port: 0, host: '127.0.0.1' })
    for (const id of ['demo-portal', 'demo-analyst', 'demo-partner', 'demo-partner-2'])
      tokens.set(id, await opened.token(id))
  })
  afterAll(async () => {
    gate.open()
    await server?.stop()
    await opened?.[Symbol.asyncDispose]()
  })

  const exportOf = async (client: string) => {
    const headers = { authorization: `Bearer ${tokens.get(client)}` }
    const response = await fetch(`${address}/exports/timeline.csv`, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('LONG-01 MUST refuse exports beyond what a client may have open, and read few pages at once', async () => {
    gate.close()
    const refused: Awaited<ReturnType<typeof exportOf>>[] = []
    const many = Array.from({ length: 20 }, async () => {
      const one = await exportOf('demo-portal')
      if (one.status === 503) refused.push(one)
      return one.status
    })
    await expect.poll(() => refused.length, SOON).toBe(4)
    for (const { headers, text } of refused) {
      expect(headers.get('retry-after')).toBe('5')
      expect(JSON.parse(text).code).toBe('SERVICE_UNAVAILABLE')
    }
    // The first may still be on its way to its first page.
    await expect.poll(() => gate.inFlight, SOON).toBe(1)
    const other = exportOf('demo-analyst')
    await expect.poll(() => gate.inFlight, SOON).toBe(2)
    gate.open()
    expect((await other).status).toBe(200)
    expect((await Promise.all(many)).filter(status => status === 200)).toHaveLength(16)
    expect(gate.most).toBe(2)
    const again = await exportOf('demo-portal')
    expect(again.status).toBe(200)
  })

  it('LONG-02 MUST refuse test events beyond what a client may have under way, and send those of another', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer(socket => void sockets.add(socket.on('error', () => undefined)))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const graph = createGraph(address)
    const test = async (client: string) => {
      const query = `mutation { sendTestEvent(notificationUrl: "${url}", kind: PAYMENT) { status error } }`
      const { data, errors } = await graph(query, { token: tokens.get(client)! })
      return data?.sendTestEvent ?? errors[0]!.extensions.code
    }
    const refused: unknown[] = []
    const many = Array.from({ length: 20 }, async () => {
      const sent = await test('demo-partner')
      if (typeof sent === 'string') refused.push(sent)
    })
    await expect.poll(() => [refused.length, sockets.size], SOON).toEqual([4, 16])
    const other = test('demo-partner-2')
    await expect.poll(() => sockets.size, SOON).toBe(17)
    for (const socket of sockets) socket.destroy()
    expect(await other).toMatchObject({ status: null })
    await Promise.all(many)
    expect(new Set(refused)).toEqual(new Set(['SERVICE_UNAVAILABLE']))
    await new Promise(closed => silent.close(closed))
  })
})
