/** A stack and requests for the tests of GraphQL over HTTP. */

import { afterAll, beforeAll } from 'vitest'
import { type Stack, startStack } from '../../support/stack.ts'

export let stack: Stack

export let token: string

export const logLines: string[] = []

/** A response of the graph, for an audit to look into. */
// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
export const read = async (response: Response): Promise<any> => response.json()

export const withToken = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, headers: { authorization: `Bearer ${token}`, ...(init.headers as object) } })

/** Starts the stack before the file's tests. */
export const useEndpoint = () => {
  beforeAll(async () => {
    stack = await startStack({ logLines })
    token = await stack.token()
  })
  afterAll(() => stack[Symbol.asyncDispose]())
}
