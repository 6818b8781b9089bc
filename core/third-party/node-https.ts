/** Node.js's HTTPS server as what it is at run time: its own code makes it an HTTP server, its declaration a TLS server. */
import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'

/** Gives the same server by its other type. */
export const asHttpServer = (server: SecureServer): Server => server as unknown as Server
