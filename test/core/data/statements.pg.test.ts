/** The hot way of reading gives what Prisma gives: values of every type that is read, parameters, and records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, Prisma } from '#core/data/db.ts'
import { byPrisma } from '#test/support/statements.ts'
import { openForReading } from './opened.ts'

let database: Database
beforeAll(async () => {
  database = await openForReading()
})
afterAll(() => database.close())

/** The rows of a statement by both ways, which must be the same in values and types. */
const readBoth = async (statement: Prisma.Sql) => {
  const ways = [byPrisma(database.db), database.db]
  const [ofPrisma, ofDriver] = await Promise.all(ways.map(way => way.$queryRaw<object[]>(statement)))
  return { ofPrisma: ofPrisma!, ofDriver: ofDriver! }
}

const expectSame = async (statement: Prisma.Sql) => {
  const { ofPrisma, ofDriver } = await readBoth(statement)
  expect(ofPrisma.length).toBeGreaterThan(0)
  expect(ofDriver).toStrictEqual(ofPrisma)
  return ofDriver
}

/** Values of a type as PostgreSQL reads them. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  bigint: ['0', '-1', '9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808'],
  integer: ['0', '2147483647', '-2147483648'],
  smallint: ['32767', '-32768'],
  'double precision': ['0', '1e308', '-1.5', '0.1', '5e-324'],
  real: ['1.5', '-0.25'],
  boolean: ['true', 'false'],
  numeric: [
    '0',
    '-0.0000',
    '1.10',
    '-12345678901234567890123456789012345678.90123456789',
    `1${'0'.repeat(130)}`,
    `0.${'0'.repeat(60)}1`,
    'NaN',
  ],
  'numeric(16, 4)': ['999999999999.9999', '-0.0001'],
  text: ['', ' ', "'", '"{},\\', 'ü 😀 \u{10FFFF}', 'line\nbreak', 'NULL', 'null'],
  'char(4)': ['a', 'abcd'],
  name: ['a_name'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-4fff-bfff-ffffffffffff'],
  date: ['2026-02-28', '2024-02-29', '0001-01-01', '0099-12-31', '9999-12-31', '12026-01-31', 'infinity'],
  timestamp: ['2026-01-31 12:30:00.123456', '0001-01-01 00:00:00', '9999-12-31 23:59:59.999999'],
  timestamptz: [
    '2026-01-31 12:30:00+00',
    '2026-01-31 12:30:00.1+00',
    '2026-01-31 12:30:00.012+00',
    '2026-01-31 12:30:00.000999+00',
    '2026-01-31 12:30:00.123456+04',
    '2026-01-31 23:59:59.999999-12:30',
    '1969-12-31 23:59:59.999999+00',
    '1970-01-01 00:00:00+00',
    '2024-02-29 23:59:59.9995+00',
    '0001-01-01 00:00:00+00',
    '0099-12-31 23:59:59.5+00',
    '0100-01-01 00:00:00+00',
    '9999-12-31 23:59:59.999999+00',
    '10000-01-01 00:00:00+00',
    '275760-09-13 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
    'infinity',
    '-infinity',
  ],
  json: ['{"a": 1.50, "a": 2}', 'null', '[]', '"ü\\u0001😀"', '12345678901234567890'],
  jsonb: [
    'null',
    '{}',
    '[1, "2", null, [true]]',
    '{"ü": "😀\\u0007\\"\\\\", "deep": {"empty": ""}}',
    '{"__proto__": {"polluted": true}, "constructor": 1}',
    '1e300',
    '0.1000',
    '12345678901234567890.5',
  ],
  'text[]': ['{}', '{a,NULL,"NULL",""}', '{"a,b","c\\"d","e\\\\f","{g}"," h "}', '{{a,b},{c,d}}', '{ü😀}'],
  'varchar[]': ['{a,NULL}'],
  'uuid[]': ['{00000000-0000-0000-0000-000000000000,NULL}'],
  'integer[]': ['{1,-2,NULL}'],
  'bigint[]': ['{9223372036854775807,NULL}'],
  'numeric[]': ['{0.10,NULL,12345678901234567890.5}'],
  'boolean[]': ['{t,f,NULL}'],
  'timestamptz[]': ['{"2026-01-31 12:30:00.123456+00",NULL}'],
  'jsonb[]': ['{"{\\"a\\": [1]}",NULL}'],
}

describe('values', () => {
  it.each(Object.entries(EDGES))('READER-01 MUST be those that Prisma gives: %s', async (type, texts) => {
    const typed = Prisma.raw(type)
    const values = [...texts.map(text => Prisma.sql`(${text}::text::${typed})`), Prisma.sql`(NULL::${typed})`]
    const rows = await expectSame(Prisma.sql`SELECT value FROM (VALUES ${Prisma.join(values)}) v (value)`)
    expect(rows).toHaveLength(texts.length + 1)
  })

  it('READER-02 MUST be those of the last column where two have one name', async () => {
    await expectSame(Prisma.sql`SELECT 1 AS a, 'x' AS b, 2::bigint AS a`)
  })

  it('READER-03 MUST be no rows where there are none, and a row for each that there is', async () => {
    expect(await database.db.$queryRaw`SELECT 1 AS a WHERE FALSE`).toEqual([])
    expect(await expectSame(Prisma.sql`SELECT n FROM generate_series(1, 3000) n`)).toHaveLength(3_000)
  })

  it('READER-04 MUST be refused where no decoder is known for their type', async () => {
    const read = () => database.db.$queryRaw`SELECT '1 day'::interval AS a`
    await expect(read()).rejects.toThrow('No decoder for values of the type 1186')
    expect(await database.db.$queryRaw`SELECT 1 AS a`).toEqual([{ a: 1 }])
  })
})

describe('parameters', () => {
  const TEXTS = ['', "' OR TRUE --", '"{},\\', 'ü😀', 'NULL', 'null', '\ud800 half', 'line\nbreak']
  const MOMENTS = [
    '2026-01-31T12:30:00.123Z',
    '1970-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ]

  it.each(TEXTS)('READER-05 MUST arrive as they do by Prisma: the text %j', async text => {
    await expectSame(
      Prisma.sql`SELECT ${text}::text AS one, ${[text, 'b']}::text[] AS many, ${text} = ANY (${[text]}::text[]) AS found`,
    )
  })

  it.each(MOMENTS)('READER-06 MUST arrive as they do by Prisma: the moment %s', async text => {
    const moment = new Date(text)
    const [row] = await expectSame(
      Prisma.sql`SELECT ${moment}::timestamptz AS at, ${moment}::timestamptz::text AS text`,
    )
    expect(row).toMatchObject({ at: moment })
  })

  it('READER-07 MUST arrive as they do by Prisma: numbers, booleans, null, and empty arrays', async () => {
    await expectSame(Prisma.sql`
      SELECT ${2n ** 63n - 1n}::bigint AS most, ${-(2n ** 63n)}::bigint AS least, ${0}::bigint AS zero, ${-7}::int AS whole,
        ${0.1}::float8 AS fraction, ${true}::boolean AS yes, ${false}::boolean AS no, ${null}::text AS nothing,
        ${[]}::text[] AS none, ${null}::bigint AS no_number, ${new Prisma.Decimal('12345678901234567890.5')}::numeric AS exact`)
  })

  it('READER-08 MUST be as many as a statement has, in their places', async () => {
    await expectSame(
      Prisma.sql`SELECT ${Prisma.join(Array.from({ length: 300 }, (_, n) => Prisma.sql`${n}::int AS ${Prisma.raw(`"c${n}"`)}`))}`,
    )
  })
})

it('READER-09 MUST be what a template says, with its values as parameters', async () => {
  const name = "o'clock"
  expect(await database.db.$queryRaw`SELECT ${name} || ${1}::text AS a`).toEqual([{ a: "o'clock1" }])
})

it('READER-17 MUST tell moments as they are, by both ways, wherever the server is', async () => {
  const abroad = await openForReading({}, 'Asia/Muscat')
  try {
    const moment = new Date('2026-01-31T23:59:59.123Z')
    for (const way of [byPrisma(abroad.db), abroad.db]) {
      const [row] = await way.$queryRaw<{ now: Date; at: Date; text: string }[]>`
        SELECT clock_timestamp() AS now, ${moment}::timestamptz AS at, (${moment}::timestamptz)::text AS text`
      expect(Math.abs(row!.now.getTime() - Date.now())).toBeLessThan(60_000)
      expect(row).toMatchObject({ at: moment, text: '2026-01-31 23:59:59.123+00' })
    }
  } finally {
    await abroad.close()
  }
})
