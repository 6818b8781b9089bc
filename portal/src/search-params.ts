/** Search parameters of the address: plain texts, one or several of a name, as a person would write them. */

export type SearchParams = Record<string, string | string[]>

/** Reads `?a=1&b=2&b=3`; a parameter without a value is left out. */
export function readSearch(search: string): SearchParams {
  const params: SearchParams = {}
  for (const [name, value] of new URLSearchParams(search)) {
    if (value === '') continue
    const before = params[name]
    params[name] = before === undefined ? value : [before, value].flat()
  }
  return params
}

/** Writes what `readSearch` reads. */
export function writeSearch(params: Record<string, unknown>): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter(one => one !== undefined && one !== null && one !== '')
      .map((one): [string, string] => [name, String(one)]),
  )
  const text = new URLSearchParams(pairs).toString()
  return text && `?${text}`
}

/** The only or first value of a parameter. */
export const oneOf = (value: string | string[] | undefined): string | undefined => [value].flat()[0]

/** All values of a parameter. */
export const allOf = (value: string | string[] | undefined): string[] =>
  [value].flat().filter((one): one is string => one !== undefined)
