/** Operations made of a schema: selections that fit, with arguments that fit or do not. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import type { Draw } from './draw.ts'
import { DATES, hostileText, hostileValue, NUMBERS } from './hostile.ts'

export interface Made {
  readonly query: string
  readonly variables: Record<string, unknown>
}

/** Values by what a scalar or a field of that name takes. */
export interface Fitting {
  readonly ids: readonly string[]
  readonly cursors: readonly string[]
}

export const NUMBERS_OF_DIRECTORY = ['+96891000001', '+96892000001', '+96891000003', '+96899999999']
const ACCOUNTS = ['100001', '100003', '200001', '999999']
const SIZES = [0, 1, 1, 2, 5, 50, 200, 201, -1, 2 ** 31 - 1]

const scalar = (draw: Draw, type: GraphQLNamedType, name: string, { ids, cursors }: Fitting): unknown => {
  if (isEnumType(type)) return draw.pick(type.getValues()).name
  if (type.name === 'PhoneNumber') return draw.pick(NUMBERS_OF_DIRECTORY)
  if (type.name === 'ID') return draw.pick(ids)
  if (type.name === 'DateTime') return draw.chance(60) ? '2026-11-01T00:00:00Z' : draw.pick(DATES)
  if (type.name === 'Decimal') return draw.chance(60) ? draw.pick([0.1, '1.5', 12]) : draw.pick(NUMBERS)
  if (type.name === 'Int') return draw.pick(SIZES)
  if (type.name === 'Boolean') return draw.chance(50)
  if (/^(after|before)$/.test(name)) return draw.pick(cursors)
  if (/account/i.test(name)) return draw.pick(ACCOUNTS)
  return draw.chance(50) ? draw.pick(['OMR', 'c-1', 'kiosk', '96891000001']) : hostileText(draw)
}

const valueFor = (draw: Draw, type: GraphQLInputType, name: string, fitting: Fitting): unknown => {
  if (draw.chance(4)) return hostileValue(draw)
  if (isNonNullType(type)) return valueFor(draw, type.ofType, name, fitting)
  if (isListType(type))
    return Array.from({ length: draw.below(4) }, () => valueFor(draw, type.ofType, name, fitting))
  if (!isInputObjectType(type)) return scalar(draw, type as GraphQLNamedType, name, fitting)
  const fields = Object.values(type.getFields()).filter(one => isRequiredInputField(one) || draw.chance(25))
  return Object.fromEntries(fields.map(one => [one.name, valueFor(draw, one.type, one.name, fitting)]))
}

const NAME = /^[_A-Za-z]\w*$/

/** As it is written in an operation; enum values bare, everything else as JSON with bare keys. */
const literal = (value: unknown, type: GraphQLInputType): string => {
  const named = getNamedType(type)
  if (Array.isArray(value)) return `[${value.map(one => literal(one, type)).join(', ')}]`
  if (typeof value !== 'object' || value === null)
    return isEnumType(named) && NAME.test(String(value)) ? String(value) : (JSON.stringify(value) ?? 'null')
  const fields = isInputObjectType(named) ? named.getFields() : {}
  const parts = Object.entries(value).filter(([name]) => NAME.test(name))
  return `{${parts.map(([name, one]) => `${name}: ${literal(one, fields[name]?.type ?? type)}`).join(', ')}}`
}

/** Builds one operation, and collects its variables on the way. */
class Builder {
  readonly variables: Record<string, unknown> = {}
  readonly declarations: string[] = []
  readonly draw: Draw
  readonly schema: GraphQLSchema
  readonly fitting: Fitting

  constructor(draw: Draw, schema: GraphQLSchema, fitting: Fitting) {
    this.draw = draw
    this.schema = schema
    this.fitting = fitting
  }

  argument({ name, type }: GraphQLArgument): string {
    const value = valueFor(this.draw, type, name, this.fitting)
    if (this.draw.chance(50)) return `${name}: ${literal(value, type)}`
    const variable = `v${this.declarations.length}`
    this.declarations.push(`$${variable}: ${type}`)
    this.variables[variable] = value
    return `${name}: $${variable}`
  }

  field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.filter(
      one => isRequiredArgument(one) || this.draw.chance(/^(first|filter)$/.test(one.name) ? 60 : 12),
    )
    const text = given.length > 0 ? `(${given.map(one => this.argument(one)).join(', ')})` : ''
    const alias = this.draw.chance(5) ? `a${this.draw.below(9)}: ` : ''
    return `${alias}${field.name}${text}${this.selection(field.type, depth - 1)}`
  }

  fieldsOf(type: GraphQLNamedType): GraphQLField<unknown, unknown>[] {
    return 'getFields' in type ? (Object.values(type.getFields()) as GraphQLField<unknown, unknown>[]) : []
  }

  selection(output: GraphQLOutputType, depth: number): string {
    const type = getNamedType(output)
    if (isLeafType(type)) return ''
    const leaves = (one: GraphQLField<unknown, unknown>) => isLeafType(getNamedType(one.type))
    const open = this.fieldsOf(type).filter(one => depth > 0 || (leaves(one) && one.args.length === 0))
    const chosen = open.filter(() => this.draw.below(open.length) < 3).map(one => this.field(one, depth))
    if (isAbstractType(type) && depth > 0) {
      const one = this.draw.pick(this.schema.getPossibleTypes(type))
      chosen.push(`... on ${one.name}${this.selection(one, depth - 1)}`)
    }
    return ` { __typename ${chosen.join(' ')} }`
  }
}

/** The part of a selection that an entity of this type can have. */
export function makeSelection(draw: Draw, schema: GraphQLSchema, typename: string, fitting: Fitting) {
  const builder = new Builder(draw, schema, fitting)
  const selection = builder.selection(schema.getType(typename) as never, 3)
  return { selection, variables: builder.variables, declarations: builder.declarations }
}

/** An operation: more often a query, sometimes a mutation, never a subscription. */
export function makeOperation(draw: Draw, schema: GraphQLSchema, fitting: Fitting): Made {
  const kind = draw.chance(15) ? 'mutation' : 'query'
  const root = kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!
  const builder = new Builder(draw, schema, fitting)
  const fields = Object.values(root.getFields()).filter(({ name }) => !name.startsWith('_'))
  const chosen = Array.from({ length: 1 + draw.below(2) }, () => builder.field(draw.pick(fields), 5))
  const declared = builder.declarations.length > 0 ? `(${builder.declarations.join(', ')})` : ''
  return { query: `${kind} O${declared} { ${chosen.join(' ')} }`, variables: builder.variables }
}
