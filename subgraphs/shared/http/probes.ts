/** What those who run the server ask all the time: never counted, never logged, answered also when all else is refused. */

/** Whether this is a path of health or metrics, without a query. */
export const isProbe = (path: string): boolean => path.startsWith('/health/') || path === '/metrics'

/** The path of a request's target, without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0]!
