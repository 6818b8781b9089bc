/** Input of a resolver as text: arguments and all of its GraphQLResolveInfo. */
import { type GraphQLResolveInfo, print, responsePathAsArray } from 'graphql'

/** Where a resolver stands, with the types on the way. */
export const placeOf = (info: GraphQLResolveInfo): string => responsePathAsArray(info.path).join('.')

const typesOn = ({ path }: GraphQLResolveInfo): string => {
  const names: string[] = []
  for (let step: GraphQLResolveInfo['path'] | undefined = path; step; step = step.prev)
    names.unshift(step.typename ?? '-')
  return names.join('.')
}

const json = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))

/** Everything in it, by its names. */
export const describeInfo = (info: GraphQLResolveInfo): string =>
  [
    Object.keys(info).join(),
    info.fieldName,
    info.fieldNodes.map(print).join(' & '),
    `${info.parentType}.${info.returnType}`,
    placeOf(info),
    typesOn(info),
    info.schema.getQueryType()?.name,
    json(Object.keys(info.fragments)),
    typeof info.rootValue,
    info.operation.name?.value,
    json(info.variableValues),
  ].join('; ')

/** The arguments in their order, with what they inherit from. */
export const describeArguments = (args: object): string =>
  `${Object.getPrototypeOf(args) === Object.prototype} ${json(args)}`

/** Changes what a resolver was given as its own. */
export const spoil = (args: Record<string, unknown>): void => {
  for (const value of Object.values(args)) {
    if (Array.isArray(value)) value.push('spoiled')
    else if (typeof value === 'object' && value !== null) Object.assign(value, { spoiled: true })
  }
  args['spoiled'] = true
}
