/** An agent over the wire: the protocol's own client, which checks every answer against the tool's declared output. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { NewClient } from '#core/access/client-input.ts'
import type { Stack } from '#test/support/stack.ts'

export interface Agent extends AsyncDisposable {
  readonly client: Client
  /** Calls a tool; its declared output is checked. */
  call(name: string, given?: Record<string, unknown>): Promise<CallToolResult>
  /** Calls a tool, and gives the data of its structured content. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the operation
  read(name: string, given?: Record<string, unknown>): Promise<any>
}

/** Versions of the protocol: without sessions, and the last with a handshake. */
export const ERAS = ['2026-07-28', '2025-11-25'] as const

/** Connects as a client of the graph. */
export async function connectAgent(
  stack: Pick<Stack, 'address' | 'token'>,
  as: string | NewClient = 'demo-analyst',
  era: (typeof ERAS)[number] = '2026-07-28',
): Promise<Agent> {
  const headers = { authorization: `Bearer ${await stack.token(as)}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${stack.address}/mcp`), {
    requestInit: { headers },
  })
  const mode = era === '2026-07-28' ? 'auto' : 'legacy'
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  // The outputs that are declared here are those by which the client checks answers.
  await client.listTools()
  const call = async (name: string, given: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult
  return {
    client,
    call,
    async read(name, given) {
      const { structuredContent } = await call(name, given)
      return (structuredContent as { data: unknown }).data
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
