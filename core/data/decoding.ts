/** Values as the database writes them in text, decoded to what Prisma's raw statements give for their types. */
import pg from 'pg'
import { Prisma } from '#prisma/generated/client.ts'

type Decode = (text: string) => unknown

const { INT2, INT4, INT8, FLOAT4, FLOAT8, BOOL, NUMERIC, UUID } = pg.types.builtins
const { TEXT, VARCHAR, BPCHAR, DATE, TIMESTAMP, TIMESTAMPTZ, JSON: PLAIN_JSON, JSONB } = pg.types.builtins
const NAME = 19
/** The result of a function that returns nothing, such as one that takes a lock. */
const VOID = 2278

/** The array type of each type that is read in arrays. */
const ARRAY_OF: Readonly<Record<number, number>> = {
  [BOOL]: 1000,
  [INT4]: 1007,
  [INT8]: 1016,
  [TEXT]: 1009,
  [VARCHAR]: 1015,
  [UUID]: 2951,
  [NUMERIC]: 1231,
  [TIMESTAMPTZ]: 1185,
  [JSONB]: 3807,
}

const DIGIT_0 = 48

const twoDigits = (text: string, at: number) =>
  (text.charCodeAt(at) - DIGIT_0) * 10 + text.charCodeAt(at + 1) - DIGIT_0

/** The first three decimals of a second, which begin at `from`; those after them are below what a Date holds. */
const millisecondsOf = (text: string, from: number, until: number) => {
  let milliseconds = 0
  let unit = 100
  for (let at = from; at < until && unit >= 1; at++) {
    milliseconds += (text.charCodeAt(at) - DIGIT_0) * unit
    unit /= 10
  }
  return milliseconds
}

const OFFSET = /([+-]\d\d)(:\d\d)?(:\d\d)?$/

/** Decodes the rare forms: years of five digits or before Christ, infinities, a session that is not in UTC. */
const unusualMoment = (text: string): Date =>
  new Date(
    text
      .replace(' ', 'T')
      .replace(OFFSET, (_, hours: string, minutes: string | undefined) => hours + (minutes ?? ':00')),
  )

const SECONDS_END = '2026-01-31 12:30:00'.length
const LEAST_YEAR = 100

/** `2026-01-31 12:30:00.123456+00`, read by its places: pages hold hundreds. */
const decodeMoment = (text: string): Date => {
  const end = text.length - 3
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const isUsual = text[4] === '-' && text[10] === ' ' && text.endsWith('+00') && year >= LEAST_YEAR
  if (!isUsual) return unusualMoment(text)
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)]
  return new Date(
    Date.UTC(year, month, day, hours, minutes, seconds, millisecondsOf(text, SECONDS_END + 1, end)),
  )
}

const asItIs: Decode = text => text

const SCALARS: Readonly<Record<number, Decode>> = {
  [INT2]: Number,
  [INT4]: Number,
  [INT8]: BigInt,
  [FLOAT4]: Number,
  [FLOAT8]: Number,
  [BOOL]: text => text === 't',
  [NUMERIC]: text => new Prisma.Decimal(text),
  [DATE]: text => new Date(text),
  [TIMESTAMP]: text => decodeMoment(`${text}+00`),
  [TIMESTAMPTZ]: decodeMoment,
  [PLAIN_JSON]: text => JSON.parse(text),
  [JSONB]: text => JSON.parse(text),
  [TEXT]: asItIs,
  [VARCHAR]: asItIs,
  [BPCHAR]: asItIs,
  [NAME]: asItIs,
  [UUID]: asItIs,
  [VOID]: () => null,
}

/** The elements as texts, in arrays again where there are several dimensions. */
const textsOf = pg.types.getTypeParser(ARRAY_OF[TEXT]!) as (text: string) => unknown[]

const decodeEach = (elements: readonly unknown[], decode: Decode): unknown[] =>
  elements.map(element => {
    if (Array.isArray(element)) return decodeEach(element, decode)
    return element === null ? null : decode(element as string)
  })

const arrays = Object.entries(ARRAY_OF).map(([type, array]): [number, Decode] => {
  const decode = SCALARS[Number(type)]!
  return [array, text => decodeEach(textsOf(text), decode)]
})

/** The decoder of each type that is read, by the type's number (`pg_type.oid`). */
export const DECODERS: Readonly<Record<number, Decode>> = { ...SCALARS, ...Object.fromEntries(arrays) }

/** The decoder of a type; that of a type without one throws when it is called. */
export const decoderOf = (type: number): Decode =>
  DECODERS[type] ??
  (() => {
    throw new Error(`No decoder for values of the type ${type}`)
  })
