/** Bodies changed at one place, named by its path as in `paymentInfo.amountDetails[0].amount`. */

type Fields = Record<string, unknown>

const segments = (path: string) => path.split(/[.[\]]+/).filter(Boolean)

const holderOf = (body: unknown, path: string): [holder: Fields, name: string] => {
  const names = segments(path)
  const name = names.pop()!
  return [names.reduce((node, part) => node[part] as Fields, body as Fields), name]
}

/** A copy with the field set. */
export function withField<T>(body: T, path: string, value: unknown): T {
  const copy = structuredClone(body)
  const [holder, name] = holderOf(copy, path)
  holder[name] = value
  return copy
}

/** A copy without the field. */
export function withoutField<T>(body: T, path: string): T {
  const copy = structuredClone(body)
  const [holder, name] = holderOf(copy, path)
  delete holder[name]
  return copy
}

/** The field's value. */
export function fieldOf(body: unknown, path: string): unknown {
  return segments(path).reduce<unknown>((node, name) => (node as Fields | undefined)?.[name], body)
}
