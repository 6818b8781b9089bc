/**
 * The server that each example talks to, by the client of `packages/client`; outside of this repository it is imported as
 * `@partner-graph/client`.
 */
import { type Client, createClient } from '#client/index.ts'

/** The server to talk to: the first argument of the program, or that of `npm start`. */
export const ADDRESS = process.argv[2] ?? 'http://127.0.0.1:4000'

/** The client that signs in as one of the demo, whose secrets are their ids with `-secret`. */
export const clientOf = (clientId: string): Client =>
  createClient({ address: ADDRESS, clientId, clientSecret: `${clientId}-secret` })
