/** Operations that try another's ids, cursors and filters through every argument of the schema that takes one. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isRequiredArgument,
} from 'graphql'
import { FOREIGN_ACCOUNT, FOREIGN_NUMBER, type IsolationStage, OWN_NUMBER } from './isolation-stage.ts'
import { fieldsOf, selectAll } from './paths.ts'

type Foreign = Pick<IsolationStage, 'ids' | 'deliveryIds' | 'cursors' | 'correlators' | 'references'>

/** So many words the parser takes, with room for what stands around a selection. */
const MAX_TOKENS = 1_800

const tokensIn = (text: string) => text.match(/[\w"]+|[{}()[\]:!]/g)?.length ?? 0

/** So many types are there of what a transaction can be. */
const VARIANTS = 5

/** The deepest selection that may still be sent. */
const deepest = (
  schema: GraphQLSchema,
  { type }: GraphQLField<unknown, unknown>,
  variant: number,
): string => {
  for (let depth = 4; depth > 1; depth--) {
    const text = selectAll(schema, type, depth, variant) ?? ''
    if (tokensIn(text) < MAX_TOKENS) return text
  }
  return selectAll(schema, type, 2, variant) ?? ''
}

/** Contents of a field: one selection, or one for each type that it may be of. */
export const selectionsOf = (schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): string[] => [
  ...new Set(Array.from({ length: VARIANTS }, (_, variant) => deepest(schema, field, variant))),
]

/** By name and type, the values that are another's. */
const valuesFor = (
  { name, type }: GraphQLArgument | GraphQLInputField,
  foreign: Foreign,
): readonly string[] => {
  const { name: named } = getNamedType(type)
  if (named === 'ID') return [...foreign.ids, ...foreign.deliveryIds]
  if (named === 'PhoneNumber') return [`+${FOREIGN_NUMBER}`]
  if (/^(after|before)$/.test(name)) return foreign.cursors
  if (/account/i.test(name)) return [FOREIGN_ACCOUNT]
  if (name === 'clientCorrelatorId' || name === 'correlator') return foreign.correlators
  if (name === 'referenceCode' || name === 'text') return foreign.references
  if (name === 'postedBy' || name === 'clientId') return ['the-owner']
  if (/fixedline/i.test(name)) return ['96824000003']
  if (name === 'search') return [FOREIGN_ACCOUNT, FOREIGN_NUMBER]
  return []
}

const quoted = (values: readonly string[]) => values.map(value => JSON.stringify(value))

/** Texts for one argument: its own values, or for a filter each of its fields alone. */
const textsFor = (argument: GraphQLArgument, foreign: Foreign): string[] => {
  const named = getNamedType(argument.type)
  if (!isInputObjectType(named))
    return quoted(valuesFor(argument, foreign)).map(value => `${argument.name}: ${value}`)
  return Object.values(named.getFields()).flatMap(field =>
    quoted(valuesFor(field, foreign)).map(value => `${argument.name}: {${field.name}: ${value}}`),
  )
}

/** The texts for each argument of a field, with the others that it requires. */
const callsOf = ({ args }: GraphQLField<unknown, unknown>, foreign: Foreign): string[] => {
  const required = args.filter(isRequiredArgument)
  const besides = (argument: GraphQLArgument) =>
    required.filter(one => one !== argument).map(one => textsFor(one, foreign)[0]!)
  return args.flatMap(one => textsFor(one, foreign).map(text => [text, ...besides(one)].join(', ')))
}

const PREFIXES: Record<string, readonly string[]> = {
  Query: [''],
  Subscriber: [OWN_NUMBER, FOREIGN_NUMBER].map(number => `subscriber(mobileNumber: "+${number}")`),
  Customer: [OWN_NUMBER, FOREIGN_NUMBER].map(number => `customer(phoneNumber: "+${number}")`),
}

const wrap = (prefix: string, inner: string) => (prefix ? `{ ${prefix} { ${inner} } }` : `{ ${inner} }`)

/** Every query: each field of the roots and of what they lead to, with each argument that takes something of another's. */
export function queriesOf(schema: GraphQLSchema, foreign: Foreign): string[] {
  return Object.entries(PREFIXES).flatMap(([typename, prefixes]) =>
    fieldsOf(schema.getType(typename)!).flatMap(field => {
      const selections = selectionsOf(schema, field)
      const texts = callsOf(field, foreign)
      const plain = field.args.some(isRequiredArgument) ? [] : ['']
      const calls = [...texts, ...plain].map(text => `${field.name}${text ? `(${text})` : ''}`)
      return prefixes.flatMap(prefix =>
        calls.flatMap(call => selections.map(selection => wrap(prefix, `${call}${selection}`))),
      )
    }),
  )
}

/** The mutations that take an id of what is there already, with each of another's. */
export const mutationsOf = (schema: GraphQLSchema, { ids, deliveryIds }: Foreign): string[] =>
  fieldsOf(schema.getMutationType()!).flatMap(field => {
    const [argument] = field.args.filter(({ type }) => getNamedType(type).name === 'ID')
    if (!argument) return []
    const [selection] = selectionsOf(schema, field)
    const more = field.args.some(({ name }) => name === 'reason') ? ', reason: "mine"' : ''
    return quoted([...ids, ...deliveryIds]).map(
      value => `mutation { ${field.name}(${argument.name}: ${value}${more})${selection} }`,
    )
  })
