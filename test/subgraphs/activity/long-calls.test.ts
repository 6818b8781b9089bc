/** Exports and test events of one client leave the process to the others. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Prisma, type Reader } from '#core/data/db.ts'
import { createAllInOne, type RunningServer } from '#gateway/all-in-one.ts'
import { createGraph } from '../../support/graph.ts'
import { openTestApp, type TestApp } from '../../support/stack.ts'

/** Statements that read pages of exports, held until they are let go. */
class Gate {
  readonly #held: (() => void)[] = []
  #isOpen = false
  /** How many were under way at once, at the most. */
  most = 0
  #underWay = 0

  async pass<T>(read: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    this.most = Math.max(this.most, this.#underWay)
    if (!this.#isOpen) await new Promise<void>(go => this.#held.push(go))
    return read().finally(() => (this.#underWay -= 1))
  }

  get underWay(): number {
    return this.#underWay
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

const gated = (reader: Reader, gate: Gate): Reader => ({
  lookups: reader.lookups,
  $queryRaw<Rows>(statement: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) {
    const asked =
      statement instanceof Prisma.Sql ? statement : Prisma.sql(statement as never, ...(values as never[]))
    const read = () => reader.$queryRaw<Rows>(asked)
    return EXPORTED.test(asked.sql) ? gate.pass(read) : read()
  },
})

describe('long calls', () => {
  const gate = new Gate()
  let opened: TestApp
  let server: RunningServer
  let address: string
  const tokens = new Map<string, string>()

  beforeAll(async () => {
    opened = await openTestApp({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
    const { app } = opened
    server = await createAllInOne({ ...app, reader: gated(app.reader, gate) })
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
    await expect.poll(() => refused.length).toBe(4)
    for (const { headers, text } of refused) {
      expect(headers.get('retry-after')).toBe('5')
      expect(JSON.parse(text).code).toBe('SERVICE_UNAVAILABLE')
    }
    expect(gate.underWay).toBe(1)
    const other = exportOf('demo-analyst')
    await expect.poll(() => gate.underWay).toBe(2)
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
    await expect.poll(() => [refused.length, sockets.size]).toEqual([4, 16])
    const other = test('demo-partner-2')
    await expect.poll(() => sockets.size).toBe(17)
    for (const socket of sockets) socket.destroy()
    expect(await other).toMatchObject({ status: null })
    await Promise.all(many)
    expect(new Set(refused)).toEqual(new Set(['SERVICE_UNAVAILABLE']))
    await new Promise(closed => silent.close(closed))
  })
})
