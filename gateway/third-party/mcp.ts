/** The Model Context Protocol's server under types that describe ours: its own are those of its schemas, which we do not use. */
import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'

/** Parameters of a call, as the library has checked them. */
interface CallParameters {
  readonly name: string
  readonly arguments?: Readonly<Record<string, unknown>>
}

/** Functions that answer messages; they give results as the protocol has them. */
export interface Answers {
  readonly tools: () => readonly object[]
  readonly call: (parameters: CallParameters) => Promise<object>
  readonly prompts: () => readonly object[]
  readonly prompt: (parameters: CallParameters) => object
}

export interface ServerIdentity {
  readonly name: string
  readonly title: string
  readonly version: string
  readonly instructions: string
}

/** Makes the server of one message. */
function createServer({ instructions, ...info }: ServerIdentity, answers: Answers): Server {
  const server = new Server(info, { capabilities: { tools: {}, prompts: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({ tools: [...answers.tools()] }) as never)
  server.setRequestHandler('tools/call', async ({ params }) => (await answers.call(params)) as never)
  server.setRequestHandler('prompts/list', () => ({ prompts: [...answers.prompts()] }) as never)
  server.setRequestHandler('prompts/get', ({ params }) => answers.prompt(params) as never)
  return server
}

/**
 * Makes the handler of messages. It speaks the protocol of 2026-07-28, and that of 2025 without sessions. Nothing here
 * changes while it is listened to, so no subscription is open.
 * @param answersTo gives what a message is answered with.
 * @param onFault gets what the library refuses.
 */
export const createMessageHandler = (
  identity: ServerIdentity,
  answersTo: (message: Request) => Answers,
  onFault: (error: Error) => void,
): McpHttpHandler =>
  createMcpHandler(({ requestInfo }) => createServer(identity, answersTo(requestInfo!)), {
    legacy: 'stateless',
    maxSubscriptions: 0,
    onerror: onFault,
  })

/** Handler of messages. */
export type MessageHandler = McpHttpHandler

/** Makes the error of wrong parameters, which is an error of the protocol and no result. */
export const wrongParameters = (message: string): Error =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message)
