/** What graphql-js says of a wrong value quotes the value, which may be a card's security code: only the place is told. */

const QUOTATIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\s+GraphQL request:\d.*$/s, ''],
  [/(cannot represent [^:]+): .*$/s, '$1'],
  [/Value ".*" does not exist/s, 'The value does not exist'],
  [/got invalid value .*( at "[\w.[\]]+"); ([^;]*)$/s, 'got an invalid value$1; $2'],
  [/got invalid value .*; ([^;]*)$/s, 'got an invalid value; $1'],
  [/(Expected value of type [^,]+), found .*$/s, '$1'],
  [/found (String|BlockString|Int|Float|Name) ".*"/s, 'found $1'],
]

/** The message without the values it quotes. */
export const withoutQuotations = (message: string): string =>
  QUOTATIONS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), message)
