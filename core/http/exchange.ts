/** Requests and replies as checks, limits and answers see them: those of Fastify, and those of the direct way. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { TrustProxy } from '../config/addresses.ts'

/** Request whose head has arrived. */
export interface HttpRequest
  extends Pick<FastifyRequest, 'raw' | 'id' | 'headers' | 'method' | 'url' | 'server' | 'log'>,
    Pick<FastifyRequest, 'ip' | 'protocol' | 'hostname' | 'query' | 'params'>,
    Pick<FastifyRequest, 'cameAt' | 'facts' | 'held' | 'principal' | 'stored'> {
  /** Body, once it is read. */
  body: unknown
  readonly routeOptions: Readonly<{ url?: string; config: FastifyContextConfig; bodyLimit: number }>
}

type HeaderValue = string | number | string[] | undefined

/** Response that is being put together. */
export interface HttpReply extends Pick<FastifyReply, 'elapsedTime'> {
  readonly raw: ServerResponse
  readonly statusCode: number
  code(status: number): HttpReply
  type(type: string): HttpReply
  header(name: string, value: unknown): HttpReply
  headers(values: Readonly<Record<string, unknown>>): HttpReply
  getHeader(name: string): HeaderValue
  hasHeader(name: string): boolean
  removeHeader(name: string): HttpReply
  send(payload?: string): HttpReply
}

/** Step that every request passes once its head has arrived. @returns whether it has answered, so that no other follows. */
export type HeadStep = (request: HttpRequest, reply: HttpReply) => boolean

/** Finds the address that Fastify calls `request.ip`, for requests that Fastify does not see. */
export const remoteAddress = (request: IncomingMessage, trust: TrustProxy): string =>
  (trust ? proxyAddress(request, trust) : request.socket.remoteAddress) ?? ''
