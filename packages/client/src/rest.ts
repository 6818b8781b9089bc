/** Requests of the REST contracts, typed by their OpenAPI documents. */
import { jsonOf, refusalOf } from './errors.ts'
import type { paths } from './rest/paths.generated.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'

/** Paths that know a method. */
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never
}[keyof paths] &
  string

type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never

type ParametersIn<O, Place extends string> = O extends { parameters: infer All }
  ? Place extends keyof All
    ? Exclude<All[Place], undefined>
    : never
  : never

type BodyOf<O> = O extends { requestBody?: infer Body }
  ? Exclude<Body, undefined> extends { content: { 'application/json': infer Json } }
    ? Json
    : never
  : never

type JsonIn<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined

/** JSON of the successful responses of an operation. */
type DataOf<O> = O extends { responses: infer All }
  ? { [Status in keyof All]: Status extends 200 | 201 | 202 | 204 ? JsonIn<All[Status]> : never }[keyof All]
  : never

/** A part of a request: absent where the operation has none, optional where nothing of it is required. */
type Part<Name extends string, Value> = [Value] extends [never]
  ? { readonly [N in Name]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }

export type RestOptions<P extends keyof paths, M extends Method> = Part<
  'path',
  ParametersIn<Operation<P, M>, 'path'>
> &
  Part<'query', ParametersIn<Operation<P, M>, 'query'>> &
  Part<'headers', ParametersIn<Operation<P, M>, 'header'>> &
  Part<'body', BodyOf<Operation<P, M>>> & { readonly signal?: AbortSignal }

/** Arguments of a request: its options may be left out where none is required. */
type Arguments<P extends keyof paths, M extends Method> =
  Record<never, never> extends RestOptions<P, M>
    ? [path: P, options?: RestOptions<P, M>]
    : [path: P, options: RestOptions<P, M>]

/** A successful response. */
export interface RestResponse<Data> {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
}

type Send<M extends Method> = <P extends PathsWith<M>>(
  ...args: Arguments<P, M>
) => Promise<RestResponse<DataOf<Operation<P, M>>>>

/** The contracts by method and path. Each throws `Refusal` with code and message of the contract's `ErrorInfo`. */
export interface Rest {
  readonly get: Send<'get'>
  readonly post: Send<'post'>
  readonly patch: Send<'patch'>
  readonly delete: Send<'delete'>
  /**
   * The items of a list from its start, or from `seek`, page by page as they are read. `Content-Last-Key` leads from page
   * to page.
   */
  items<P extends PathsWith<'get'>>(
    ...args: Arguments<P, 'get'>
  ): AsyncGenerator<DataOf<Operation<P, 'get'>> extends readonly (infer Item)[] ? Item : never>
}

interface AnyOptions {
  readonly path?: object | undefined
  readonly query?: object | undefined
  readonly headers?: object | undefined
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

const urlOf = (address: string, path: string, { path: values = {}, query = {} }: AnyOptions): URL => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = (values as Record<string, unknown>)[name]
    if (value === undefined) throw new TypeError(`${path} needs the path parameter ${name}`)
    return encodeURIComponent(`${value}`)
  })
  const url = new URL(filled, address)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, `${value}`)
  return url
}

const definedOf = (headers: object = {}): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))

/** Makes the requests. @param fetch sends one with a token. */
export function createRest(address: string, fetch: (request: Request) => Promise<Response>): Rest {
  const send = async (method: Method, path: string, options: AnyOptions = {}) => {
    const { headers, body, signal } = options
    const request = new Request(urlOf(address, path, options), {
      method: method.toUpperCase(),
      headers: [
        ['accept', 'application/json'],
        ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
        ...definedOf(headers),
      ],
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
    const response = await fetch(request)
    const data = await jsonOf(response)
    if (!response.ok) throw refusalOf(response, data)
    return { data, status: response.status, headers: response.headers }
  }
  const by = (method: Method) => (path: string, options?: AnyOptions) => send(method, path, options)
  async function* items(path: string, options: AnyOptions = {}) {
    let seek = (options.query as { seek?: number } | undefined)?.seek ?? 0
    for (;;) {
      const { data, headers } = await send('get', path, { ...options, query: { ...options.query, seek } })
      const page = data as unknown[]
      yield* page
      const next = Number(headers.get('content-last-key'))
      if (page.length === 0 || !(next > seek)) return
      seek = next
    }
  }
  return { get: by('get'), post: by('post'), patch: by('patch'), delete: by('delete'), items } as Rest
}
