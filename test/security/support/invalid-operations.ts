/** Operations that are not valid, of every kind that there is, as long as a text may be: of so many tokens. */

const many = (count: number, one: (index: number) => string, between = ' '): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => one(index)).join(between)

/** Each by what is wrong with it; `tokens` is how many it may have, about. */
export const invalidOperations = (tokens: number): [what: string, query: string][] => [
  ['unknown fields', `{ ${many(tokens - 10, index => `x${index}`)} }`],
  ['one unknown field', `{ ${many(tokens - 10, () => 'nothing')} }`],
  ['unknown fields of aliases', `{ ${many(tokens / 6, index => `a${index}: me { x }`)} }`],
  ['unknown fields, deep', `{ ${'me { '.repeat(tokens / 4)}x${' }'.repeat(tokens / 4)} }`],
  ['unknown fields on lines of their own', `{ ${many(tokens / 2, index => `x${index}`, '\n\n\n')} }`],
  ['unknown fields after many lines', `${'\n'.repeat(90_000)}{ ${many(tokens - 10, index => `x${index}`)} }`],
  ['unknown arguments', `{ me(${many(tokens / 4, index => `a${index}: 1`)}) { id } }`],
  ['unknown arguments of aliases', `{ ${many(tokens / 10, index => `a${index}: me(x: 1) { id }`)} }`],
  [
    'arguments of a wrong type',
    `{ ${many(tokens / 10, index => `a${index}: payments(first: "x") { totalCount }`)} }`,
  ],
  ['unknown fragments', `{ ${many(tokens / 2 - 10, index => `...F${index}`)} }`],
  ['unused fragments', `{ me { id } } ${many(tokens / 8, index => `fragment F${index} on Query { x }`)}`],
  [
    'fragments in a circle',
    `{ ...F0 } ${many(tokens / 8, index => `fragment F${index} on Query { ...F${index + 1} ...F0 }`)}`,
  ],
  [
    'fragments one within the other',
    `{ ...F0 } ${many(tokens / 10, index => `fragment F${index} on Query { me { x } ...F${index + 1} }`)}`,
  ],
  [
    'fragments beside one another',
    `{ ${many(tokens / 14, index => `...F${index}`)} } ${many(tokens / 14, index => `fragment F${index} on Query { me { x${index} } }`)}`,
  ],
  ['fragments of unknown types', `{ ${many(tokens / 8, index => `... on T${index} { x }`)} }`],
  [
    'unknown variables',
    `{ ${many(tokens / 12, index => `a${index}: payments(first: $v${index}) { totalCount }`)} }`,
  ],
  ['unused variables', `query (${many(tokens / 5, index => `$v${index}: Int`)}) { me { id } }`],
  [
    'variables of unknown types',
    `query (${many(tokens / 5, index => `$v${index}: T${index}`)}) { me { id } }`,
  ],
  ['variables given twice', `query (${many(tokens / 5, () => '$v: Int')}) { me { id } }`],
  ['unknown directives', `{ me ${many(tokens / 2 - 10, index => `@d${index}`)} { id } }`],
  ['directives again and again', `{ me ${many(tokens / 8, () => '@skip(if: true)')} { id } }`],
  [
    'fields that cannot be merged',
    `{ ${many(tokens / 8, index => `a: payments(first: ${index}) { totalCount }`)} }`,
  ],
  [
    'leaves that cannot be merged',
    `{ me { ${many(tokens / 3 - 10, index => (index % 2 ? 'a: id' : 'a: name'))} } }`,
  ],
  ['objects that cannot be merged', `{ ${many(tokens / 6, index => `a: me { x${index} }`)} }`],
  [
    'the same again and again',
    `{ ${many(tokens / 12, () => 'payments { nodes { id kind amount { value } } }')} }`,
  ],
  [
    'unknown values',
    `{ timeline(filter: { kinds: [${many(tokens - 20, index => `X${index}`)}] }) { totalCount } }`,
  ],
  [
    'unknown fields of an input',
    `{ timeline(filter: { ${many(tokens / 3 - 10, index => `x${index}: 1`)} }) { totalCount } }`,
  ],
  [
    'fields of an input given twice',
    `{ timeline(filter: { ${many(tokens / 3 - 10, () => 'text: 1')} }) { totalCount } }`,
  ],
  [
    'a list in a list in a list',
    `{ timeline(filter: { kinds: ${'['.repeat(tokens / 3)}X${']'.repeat(tokens / 3)} }) { totalCount } }`,
  ],
  ['operations of one name', many(tokens / 6, index => `query Q { a${index} }`)],
  ['operations without a name', many(tokens / 4, index => `{ a${index} }`)],
  [
    'operations that share fragments',
    `${many(tokens / 14, index => `query Q${index} { ...F0 }`)} ${many(tokens / 16, index => `fragment F${index} on Query { me { id } ...F${index + 1} }`)}`,
  ],
  ['definitions of types', many(tokens / 8, index => `type T${index} { a: Int }`)],
  [
    '120 aliases of a connection',
    `{ ${many(120, index => `a${index}: payments(first: 200) { nodes { id x } }`)} }`,
  ],
  [
    '700 pages',
    `{ ${many(Math.min(700, tokens / 12), index => `p${index}: timeline(first: 1) { totalCount }`)} }`,
  ],
  ['no end', '{ me { id '],
  ['more tokens than may be', `{ ${'x '.repeat(45_000)} }`],
]

/** Variables of which nothing fits. */
export const unfitVariables = (): [what: string, body: object][] => {
  const query = 'query ($filter: TimelineFilter) { timeline(filter: $filter) { totalCount } }'
  const wide = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`x${index}`, index]))
  return [
    ['unknown fields in a variable', { query, variables: { filter: wide } }],
    ['unknown values in a variable', { query, variables: { filter: { kinds: Array(12_000).fill('X') } } }],
    ['variables that nobody asked for', { query, variables: wide }],
  ]
}

/** A gateway's request to a subgraph, with 12,000 representations; none of them fits. */
export const unfitEntities = (): [what: string, body: object][] => {
  const query =
    'query ($r: [_Any!]!) { _entities(representations: $r) { __typename ... on Customer { customerName } } }'
  const of = (one: (index: number) => unknown) => Array.from({ length: 12_000 }, (_, index) => one(index))
  return [
    ['entities of unknown types', { query, variables: { r: of(index => ({ __typename: `T${index}` })) } }],
    ['entities without keys', { query, variables: { r: of(() => ({ __typename: 'Customer' })) } }],
    ['entities that are none', { query, variables: { r: of(index => index) } }],
    [
      'entities with other keys',
      {
        query,
        variables: { r: of(index => ({ __typename: 'Customer', customerAccountNumber: { index } })) },
      },
    ],
    [
      'entities that nobody knows',
      {
        query,
        variables: { r: of(index => ({ __typename: 'Customer', customerAccountNumber: `x${index}` })) },
      },
    ],
  ]
}
