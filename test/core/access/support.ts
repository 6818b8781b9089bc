/** Support for the tests of access: a database, a clock that the tests set, and token requests. */
import fastify, { type FastifyBaseLogger } from 'fastify'
import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { type AccessOptions, createAccess } from '#core/access/access.ts'
import { registerJwks } from '#core/access/jwks-route.ts'
import { registerTokenEndpoint } from '#core/access/token-endpoint.ts'
import { readConfig } from '#core/config/config.ts'
import type { Db } from '#core/data/db.ts'
import { ServiceError } from '#core/errors/catalogue.ts'
import { createLog } from '#core/observability/log.ts'
import { openEmpty } from '#test/support/embedded.ts'

export const config = readConfig({ DATA_DIR: 'memory:' })
export const log = createLog('silent')

/** Makes a clock that moves only by `pass`. */
export const createClock = (start = Date.now()) => {
  const pass = (ms: number) => {
    clock.time += ms
  }
  const clock = { time: start, now: () => clock.time, pass }
  return clock
}

/** Opens access on a new embedded database; `close` removes it. */
export const openAccess = async (options: Partial<AccessOptions> = {}) => {
  const database = await openEmpty()
  const clock = createClock()
  const access = await createAccess({ config, log, db: database.db, now: clock.now, ...options })
  return { access, clock, db: database.db, close: () => database.close() }
}

/** A server with the token endpoint and the public keys alone. */
export const serve = (
  access: Awaited<ReturnType<typeof createAccess>>,
  loggerInstance: FastifyBaseLogger = log,
) => {
  const server = fastify({ loggerInstance })
  registerTokenEndpoint(server, access)
  registerJwks(server, access)
  return server
}

export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** A database that cannot be reached. */
export const deadPrisma = new Proxy({} as Db, {
  get: () => {
    throw new Error("Can't reach database server at 10.0.0.1:5432")
  },
})

/** Waits for a ServiceError and returns it. */
export const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
  const error = await work.then(
    () => new Error('it was not refused'),
    error => error,
  )
  if (!(error instanceof ServiceError)) throw error
  return error
}

/** Signs any claims with a JWK, as only the issuer should be able to. */
export const signWith = async (jwk: object, header: JWTHeaderParameters, claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(jwk, header.alg))
