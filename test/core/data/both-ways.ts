/** A stack whose hot reads are read by both ways, and compared. */
import { inspect } from 'node:util'
import { MockAgent } from 'undici'
import { expect } from 'vitest'
import type { App } from '#core/context/app.ts'
import type { Db } from '#core/data/db.ts'
import { createDirectory } from '#core/directory/directory.ts'
import { loadServices } from '#gateway/load-services.ts'
import { graphOf, restOf } from '#test/support/both-interfaces.ts'
import { FIXTURES } from '#test/support/fixtures/all.ts'
import { WEBHOOK } from '#test/support/fixtures/fixture.ts'
import { type Stack, startStack } from '#test/support/stack.ts'
import { byPrisma, readingThrough } from '#test/support/statements.ts'

export const NUMBER = '+96891000001'

/** A statement with what each way gave. */
interface Compared {
  readonly text: string
  readonly ofPrisma: unknown
  readonly ofDriver: unknown
}

/** By which workers look for what is new: that may come between one way and the other. */
const LOOKS_FOR_WORK = /activity\.progress|charging\./

/** Reads each statement by both ways, and gives what the driver gave. */
const comparing = (db: Db, compared: Compared[]): Db =>
  readingThrough(db, async (statement, send) => {
    const ofPrisma = await byPrisma(db).$queryRaw(statement)
    const ofDriver = await send()
    if (!LOOKS_FOR_WORK.test(statement.text)) compared.push({ text: statement.text, ofPrisma, ofDriver })
    return ofDriver
  })

/** Takes every webhook, so that no delivery changes while the tests look. */
const createReceiver = () => {
  const receiver = new MockAgent()
  receiver.get(/./).intercept({ path: /./, method: 'POST' }).reply(204).persist()
  return Object.assign(receiver, { destroy: () => receiver.close() })
}

/** Rows that come in no order are compared as a set. */
const inOrder = (text: string, rows: unknown) =>
  text.includes('ORDER BY') ? rows : (rows as object[]).toSorted((a, b) => (inspect(a) < inspect(b) ? -1 : 1))

export interface BothWays extends AsyncDisposable {
  readonly stack: Stack
  readonly tokens: ReadonlyMap<string, string>
  /** Takes the reads since the last call away, and returns them. */
  take(): Compared[]
  /** All that has been read since is the same; at least so many statements had rows. */
  expectSame(least: number): void
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
  ask(client: string, query: string, variables?: object): Promise<any>
}

const post = async (stack: Stack, token: string) => {
  for (const { path, body } of FIXTURES)
    await restOf(stack)('POST', path, { token, body: { ...body(), ...WEBHOOK } })
  await stack.settled()
  await stack.server.deliverer.idle()
}

const addTokens = async (stack: Stack) => {
  const tokens = new Map<string, string>()
  for (const id of ['demo-partner', 'demo-portal', 'demo-analyst']) tokens.set(id, await stack.token(id))
  const bound = { id: 'bound', role: 'portal', name: 'Ü 😀', phoneNumber: NUMBER.slice(1) } as const
  return tokens.set('bound', await stack.token(bound))
}

const expectEqual = (read: readonly Compared[], least: number) => {
  for (const { text, ofPrisma, ofDriver } of read)
    expect(inOrder(text, ofDriver)).toStrictEqual(inOrder(text, ofPrisma))
  const found = read.filter(({ ofDriver }) => (ofDriver as unknown[]).length > 0)
  expect(found.length).toBeGreaterThanOrEqual(least)
}

/** Starts it with the demo and a transaction of each kind; nothing changes by itself from then on. */
export async function startBothWays(): Promise<BothWays> {
  const compared: Compared[] = []
  const parts = async (app: App) => {
    const db = comparing(app.db, compared)
    const delivery = { dispatcher: createReceiver() }
    return { delivery, services: await loadServices({ ...app, db, directory: createDirectory(db) }) }
  }
  const stack = await startStack({ parts })
  const tokens = await addTokens(stack)
  await post(stack, tokens.get('demo-partner')!)
  return {
    stack,
    tokens,
    take: () => compared.splice(0),
    expectSame: least => expectEqual(compared.splice(0), least),
    async ask(client, query, variables = {}) {
      const { data, errors } = await graphOf(stack)(query, { token: tokens.get(client), variables })
      expect(errors).toEqual([])
      return data
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  }
}
