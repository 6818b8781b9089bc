/** What those who run the server ask all the time: never counted, never logged, answered also when all else is refused. */

/** Whether a request's target is a path of health or metrics. */
export const isProbe = (url: string): boolean =>
  url.startsWith('/health/') || url === '/metrics' || url.startsWith('/metrics?')

/** The path of a request's target, without its query. */
export const pathOf = (url: string): string => {
  const query = url.indexOf('?')
  return query < 0 ? url : url.slice(0, query)
}
