/** The part of autocannon that the benchmarks use; it brings no types of its own. */
declare module 'autocannon' {
  export interface Request {
    method?: string
    path: string
    headers?: Record<string, string>
    body?: string
  }

  export interface Client {
    setRequests(requests: Request[]): void
  }

  export interface Options {
    url: string
    connections: number
    duration: number
    /** Requests per second over all connections; as fast as possible when absent. */
    overallRate?: number
    /** Puts a fresh id in the place of `[<id>]`. */
    idReplacement?: boolean
    setupClient?(client: Client): void
    requests: Request[]
  }

  export interface Result {
    duration: number
    errors: number
    timeouts: number
    non2xx: number
    '2xx': number
    statusCodeStats?: Record<string, { count?: number }>
    latency: { p50: number; p99: number }
  }

  export default function autocannon(options: Options): Promise<Result>
}
