/** The graph as one client queries it; a response with errors fails. */
import { createGraph } from '../../support/graph.ts'
import type { Stack } from '../../support/stack.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a client reads from JSON
export type Graph = (query: string, variables?: object) => Promise<any>

/** Makes the function that asks with a token, and throws what went wrong. */
export const graphOf =
  (stack: Stack, token: string): Graph =>
  async (query, variables) => {
    const { data, errors } = await createGraph(stack.address)(query, { token, variables })
    if (errors.length > 0) throw new Error(`${query}\n${JSON.stringify(errors)}`)
    return data
  }
