/** SQL that is made of texts holds nothing but the code's own words: every such place is known, and its parts are constants. */
import { expect, it } from 'vitest'
import { sqlWord } from '#core/data/sql.ts'
import { SOURCES } from '#test/support/sources.ts'

const PRODUCT = SOURCES.filter(
  ({ file, generated }) =>
    !generated && /^(core|subgraphs|gateway|engine|connectors|topology|prisma|cli)\//.test(file),
)

/** The end of the argument that begins at `from`. */
const endOf = (text: string, from: number): number => {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

/** The arguments of `Prisma.raw`, each on one line. */
const argumentsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:Prisma\.)?raw\(/g)].map(({ 0: call, index }) => {
    const from = index + call.length
    return text.slice(from, endOf(text, from)).replace(/\s+/g, ' ').replace(/,\s*$/, '').trim()
  })

/** A text of the code's own, whole. */
const isConstant = (argument: string) => /^'[^']*'$/.test(argument) || /^`[^`$]*`$/.test(argument)

/** The texts that SQL is made of, and why no value of a request can be in them. */
const ALLOWED: Readonly<Record<string, string>> = {
  "`'${word}'`": 'sqlWord checks it',
  '`"${schema}"."${table}"`': 'of a TransactionKind',
  '`"${schema}"."book"`': 'of a TransactionKind, or of the event log',
  '`"${schema}"."idempotency_key"`': 'of a TransactionKind',
  "descending === backward ? 'ASC' : 'DESC'": 'two words',
  "`left(btrim(regexp_replace(left(coalesce(${[...places, `''`].join(', ')}), ${length * LOOKED_AT}), '\\\\s+', ' ', 'g')), ${length})`":
    'of the calls in the same file, and constants',
  '`left(t.reference_code, ${REFERENCE_LENGTH})`': 'a constant',
  "`interval '${count} milliseconds'`": 'of the calls in the same file, all of them constants',
  '"date_trunc(\'milliseconds\', clock_timestamp())"': 'a constant',
  "path === 'minDues' ? '>=' : '<='": 'two signs',
  '`(extract(epoch FROM ${completed} - ${created}) * 1000)::bigint`':
    'of the calls in the same file, all of them columns',
  "`date_trunc('${unit}', d.at)::date`": 'of the calls in the same file, all of them constants',
  "measures .flatMap(measure => OF_AMOUNTS[measure] ?? []) .map(one => `${one}, `) .join('')":
    'of OF_AMOUNTS',
  '`w${index}`': 'a number',
  alias: 'of the calls in the same file',
  column: 'of the catalogue, for columns of known names, and of the calls in the same file',
  key: 'of the calls in the same file',
  '`access.${table}`': 'of the calls in the same file',
  '`${alias}.${name}`': 'two names of columns, behind the aliases of the calls in the code',
  '`${alias}.holder`': 'behind the aliases of the calls in the same file',
  table: 'of the same file, and of the kinds',
  "FIELDS.map(write).join(', ')": 'of the columns in the same file',
  'fields.map(field => `${columns[field]} AS "${field}"`).join(\', \')':
    'of the columns that a table is given by the code',
  'fields.map(field => `"${field}"`).join(\', \')': 'likewise',
  '`${alias}.${column}`': 'of the calls, and a HolderColumn',
  "['d.holder', 'd.period', ...groupBy.map(group => `d.${COLUMN_OF[group]}`)].join(', ')":
    'columns of COLUMN_OF',
  "GRAINS.map(upsert).join(',')": 'GRAINS is a constant',
  '`activity.${table}`': 'of GRAINS, by the statement that names them',
  "`CASE ${column} ${cases.join(' ')} ELSE 'PENDING' END`": 'of a TransactionKind',
  "`CASE ${column} ${cases.join(' ')} ELSE '{}' END`": 'of a TransactionKind',
}

/** Long ones, by how they begin. */
const ALLOWED_STARTS = [
  '`${groupBy.includes(group) ?',
  '`directory.account a LEFT JOIN ledger.balance b ON',
  'Object.entries(NAME_OF) .map(([group, name]) => {',
  'String.raw`',
  '` CASE WHEN pg_column_compression(t.body) IS NULL',
  "` SELECT coalesce(account_number, '')",
  'GRAINS.map( ({ table }) => `SELECT',
  '`left(btrim(regexp_replace(coalesce(',
]

const isAllowed = (argument: string) =>
  isConstant(argument) || argument in ALLOWED || ALLOWED_STARTS.some(start => argument.startsWith(start))

it('SQL-01 Prisma.raw gets constants, and what is put together of constants at places that are known', () => {
  const found = PRODUCT.flatMap(({ file, text }) => argumentsIn(text).map(argument => ({ file, argument })))
  expect(found.length).toBeGreaterThan(20)
  expect(found.filter(({ argument }) => !isAllowed(argument))).toEqual([])
  const seen = new Set(found.map(({ argument }) => argument))
  expect(Object.keys(ALLOWED).filter(argument => !seen.has(argument))).toEqual([])
})

it('SQL-02 no statement is given to the database as text', () => {
  const unsafe = PRODUCT.filter(({ text }) => /\$(queryRaw|executeRaw)Unsafe\b/.test(text))
  expect(unsafe.map(({ file }) => file)).toEqual([])
})

/** Why each speaks to the driver itself. */
const OF_DRIVER: Readonly<Record<string, string>> = {
  'prisma/diff-schema.ts': 'compares the schema with the embedded database’s template',
  'core/data/statements.ts': 'the statements of the client, and the pipeline that sends small reads',
  'core/data/transactions.ts': 'its transactions',
  'core/data/sql.ts': 'the types of values',
  'core/data/db.ts': 'opens the database',
  'core/data/postgres.ts':
    'the pool, and connections of their own: a lock is of a session, migrations come before the client',
  'core/data/pg-notify.ts': 'LISTEN is of a session',
  'core/data/moment-source.ts': 'asks what is committed over one connection for as long as it lives',
  'core/data/silent-connections.ts': 'asks about connections over one that is not of the pool',
  'core/data/backends.ts': 'asks about connections over one that is not of the pool',
  'core/data/session.ts': 'asks for the session, before the connection is one of the pool',
  'core/data/replica.ts': 'reads from a pool of its own',
  'core/data/hosts-client.ts': 'finds the server that serves, before a connection is one',
  'core/data/interrupted-migration.ts': 'replays an interrupted migration on an empty database of its own',
  'core/data/copies.ts': 'opens an archive that is looked at in memory',
  'core/data/migrations.ts': 'migrations, before there is a client',
  'core/third-party/pg.ts': 'the driver’s types',
  'core/third-party/prisma.ts': 'gives Prisma a connection of the driver’s',
  'core/data/embedded.ts': 'the embedded database before there is a client',
}

it('SQL-04 nothing speaks to the driver but what is known to', () => {
  const found = PRODUCT.filter(({ text }) => /from '(pg|@electric-sql\/pglite)'/.test(text))
  expect(found.map(({ file }) => file).sort()).toEqual(Object.keys(OF_DRIVER).sort())
})

it.each(["x'", "' OR TRUE --", '', 'a b', 'é', 'a'.repeat(33)])('SQL-03 %j is no word for SQL', word => {
  expect(() => sqlWord(word)).toThrow('plain word')
})
