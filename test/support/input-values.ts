/** Values for the arguments and variables of generated operations, as JSON and as literals. */
import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import type { Random } from './random.ts'

const name = (value: string) => ({ kind: Kind.NAME, value }) as const

const SCALARS: Record<string, (random: Random) => ValueNode> = {
  Int: random => ({ kind: Kind.INT, value: String(random.below(5) + 1) }),
  Float: random => ({ kind: Kind.FLOAT, value: `${random.below(9)}.5` }),
  Decimal: random => ({ kind: Kind.FLOAT, value: `${random.below(9)}.5` }),
  Boolean: random => ({ kind: Kind.BOOLEAN, value: random.chance(0.5) }),
  DateTime: () => ({ kind: Kind.STRING, value: '2026-11-20T06:15:00Z' }),
  PhoneNumber: random => ({ kind: Kind.STRING, value: `+9689100000${random.below(9)}` }),
  Currency: random => ({ kind: Kind.STRING, value: random.pick(['OMR', 'USD']) }),
}

const text = (random: Random): ValueNode => ({
  kind: Kind.STRING,
  value: random.pick(['id0', 'id1', 'a "quoted" one']),
})

/** A literal of this type; what may be left out mostly is. */
export function literalOf(type: GraphQLInputType, random: Random, depth = 0): ValueNode {
  if (isNonNullType(type)) return literalOf(type.ofType, random, depth)
  if (isListType(type)) {
    const values = Array.from({ length: 1 + random.below(2) }, () =>
      literalOf(type.ofType, random, depth + 1),
    )
    return { kind: Kind.LIST, values }
  }
  if (isEnumType(type)) return { kind: Kind.ENUM, value: random.pick(type.getValues()).name }
  if (!isInputObjectType(type)) return (SCALARS[type.name] ?? text)(random)
  const fields = Object.values(type.getFields()).filter(
    field => isRequiredInputField(field) || (depth < 3 && random.chance(0.2)),
  )
  return {
    kind: Kind.OBJECT,
    fields: fields.map(field => ({
      kind: Kind.OBJECT_FIELD,
      name: name(field.name),
      value: literalOf(field.type, random, depth + 1),
    })),
  }
}

/** A variable's value of this type. */
export function jsonOf(type: GraphQLInputType, random: Random): unknown {
  return valueFromASTUntyped(literalOf(type, random))
}
