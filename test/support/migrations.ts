/**
 * Effects of a migration on those who work at the same time: which statements take something away that an earlier
 * version of the program uses, and which hold a lock on a table for as long as it is large. PostgreSQL linters
 * (squawk) know neither which tables stay small here, nor a backfill that locks the rows of a whole table.
 */
import { isInSteps, migrationNames, readMigration, statementsOf } from '#core/data/migrations.ts'

/** A migration as its file says it is. */
export interface MigrationText {
  readonly name: string
  /** Its comments at the beginning, without the marks. */
  readonly head: readonly string[]
  /** Its statements, without comments, on one line each. */
  readonly statements: readonly string[]
  /** Whether each of its statements commits by itself. */
  readonly inSteps: boolean
}

const withoutComments = (statement: string) =>
  statement
    .replace(/--[^\n]*|\/\*.*?\*\//gs, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Reads what a file of a migration says. */
export const parseMigration = (name: string, sql: string): MigrationText => ({
  name,
  head: /^(?:--[^\n]*\n)*/
    .exec(sql)![0]
    .split('\n')
    .map(line => line.replace(/^-- ?/, ''))
    .filter(Boolean),
  statements: statementsOf(sql).map(withoutComments).filter(Boolean),
  inSteps: isInSteps(sql),
})

export const readMigrations = (): MigrationText[] =>
  migrationNames().map(name => parseMigration(name, readMigration(name)))

/** A table as statements name it, without quotes. */
const NAME = String.raw`((?:"?\w+"?\.)?"?\w+"?)`
const withoutQuotes = (name: string | undefined) => name?.replaceAll('"', '')

const find = (statement: string, pattern: string) =>
  withoutQuotes(new RegExp(`^${pattern}${NAME}`, 'i').exec(statement)?.[1])

const madeBy = (statement: string) => find(statement, 'CREATE TABLE (?:IF NOT EXISTS )?')

/** The table that a statement changes, or makes an index on. */
const targetOf = (statement: string): string | undefined =>
  find(statement, 'ALTER TABLE (?:IF EXISTS )?(?:ONLY )?') ??
  find(statement, 'CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?') ??
  find(statement, 'CREATE TRIGGER .*? ON ') ??
  find(statement, 'UPDATE (?:ONLY )?') ??
  find(statement, 'DELETE FROM (?:ONLY )?') ??
  find(statement, 'INSERT INTO ') ??
  find(statement, 'REVOKE .*? ON ')

const dropped = (statement: string) => find(statement, 'DROP TABLE ')

/** The name that a table is put aside under, where the migration makes another one under its own name, and drops it. */
const asideOf = (statement: string, all: readonly string[]): string | undefined => {
  const renamed = /^ALTER TABLE (\S+) RENAME TO (\S+)$/i.exec(statement)
  const [table, to] = [withoutQuotes(renamed?.[1]), withoutQuotes(renamed?.[2])]
  const aside = table?.replace(/[^.]+$/, to!)
  return all.some(one => madeBy(one) === table) && all.some(one => dropped(one) === aside) ? aside : undefined
}

/** The statements by which a table is made anew under its name: nobody finds it missing. */
const remaking = (all: readonly string[]): ReadonlySet<string> => {
  const aside = all.flatMap(one => asideOf(one, all) ?? [])
  const ofAside = (one: string) =>
    asideOf(one, all) !== undefined ||
    aside.includes(dropped(one) ?? '') ||
    aside.some(table =>
      new RegExp(`^ALTER INDEX \\S+ RENAME TO "?${table.split('.').at(-1)}_`, 'i').test(one),
    )
  return new Set(all.filter(ofAside))
}

/** The statements that work on a table which the migration did not make itself: nobody uses that one yet. */
const onOthers = ({ statements }: MigrationText): string[] => {
  const made = new Set(statements.map(madeBy))
  const anew = remaking(statements)
  return statements.filter(statement => {
    if (anew.has(statement)) return false
    const target = targetOf(statement)
    return target === undefined || !made.has(target)
  })
}

/** The retry of an index that is made while clients write: its half-made index goes before it is made. */
const isRetry = (statement: string, all: readonly string[]) => {
  const name = find(statement, 'DROP INDEX CONCURRENTLY IF EXISTS ')?.split('.').at(-1)
  return (
    name !== undefined &&
    all.some(one => new RegExp(`^CREATE INDEX CONCURRENTLY "?${name}"? `, 'i').test(one))
  )
}

/** Words that take something from a version that does not know the migration, or forbid it something. */
const TAKING: readonly RegExp[] = [
  /^DROP /i,
  /\bDROP (COLUMN|CONSTRAINT|DEFAULT|NOT NULL|IDENTITY|EXPRESSION)\b/i,
  /\bRENAME\b/i,
  /\bSET SCHEMA\b/i,
  /\bALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/i,
  /\bALTER TYPE\b/i,
  /\bSET NOT NULL\b/i,
  /\bADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b/i,
  /\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b/i,
  /^CREATE UNIQUE INDEX /i,
  /^CREATE TRIGGER /i,
  /^CREATE OR REPLACE /i,
  /^(TRUNCATE|DELETE|REVOKE) /i,
]

/** Lists the statements after which an earlier version may fail. */
export const takenAway = (migration: MigrationText): string[] =>
  onOthers(migration).filter(
    statement => TAKING.some(one => one.test(statement)) && !isRetry(statement, migration.statements),
  )

/** Tables of as many rows as there are clients, keys, services or servers: whatever is done to them is done in a moment. */
const SMALL: ReadonlySet<string> = new Set([
  'access.client',
  'access.installation',
  'access.served_from',
  'access.signing_key',
  'activity.progress',
  'books.book',
  'charging.progress',
])

const VOLATILE =
  /\bDEFAULT (?:\w+\.)?(?:gen_random_uuid|uuidv?\d*|uuid_generate_v\d|random|clock_timestamp|nextval)\b|\bGENERATED\b|\b(?:BIG|SMALL)?SERIAL\b/i

/** Work on a whole table under a lock that others wait for. */
const LONG: Readonly<Record<string, (statement: string) => boolean>> = {
  'makes an index': one => /^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY\b)/i.test(one),
  'rebuilds a table or an index': one => /^(CLUSTER|VACUUM FULL|REINDEX (?!.*CONCURRENTLY))/i.test(one),
  'checks every row': one =>
    (/\bADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY)\b/i.test(one) &&
      !/NOT VALID|USING INDEX/i.test(one)) ||
    /\bSET NOT NULL\b|\bVALIDATE CONSTRAINT\b/i.test(one),
  'writes every row': one =>
    /\bALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/i.test(one) ||
    (/\bADD COLUMN\b/i.test(one) && VOLATILE.test(one)) ||
    /^(UPDATE|DELETE) /i.test(one) ||
    /^INSERT INTO .*\bFROM\b/i.test(one),
}

/** Done a batch a transaction, or under a lock that lets others read and write. */
const HARMLESS_IN_STEPS: ReadonlySet<string> = new Set(['checks every row', 'writes every row'])

const namesSmall = (statement: string) => {
  const target = targetOf(statement)
  return target !== undefined && SMALL.has(target)
}

/** Lists what a migration does under a lock for longer, the more rows a table has; sorted, each once. */
export function longLocks(migration: MigrationText): string[] {
  const others = onOthers(migration).filter(one => !namesSmall(one))
  const kinds = Object.keys(LONG).filter(kind => others.some(one => LONG[kind]!(one)))
  return kinds.filter(kind => !(migration.inSteps && HARMLESS_IN_STEPS.has(kind))).toSorted()
}

/** Lists the statements of a migration in steps that cannot be run a second time, after one that was interrupted. */
export const unrepeatable = ({ inSteps, statements }: MigrationText): string[] =>
  statements.filter(one => inSteps && !isRepeatable(one, statements))

const isRepeatable = (statement: string, all: readonly string[]) => {
  const index = find(statement, 'CREATE INDEX CONCURRENTLY ')
  if (index !== undefined)
    return all.some(one => find(one, 'DROP INDEX CONCURRENTLY IF EXISTS ')?.split('.').at(-1) === index)
  return /^DROP INDEX CONCURRENTLY IF EXISTS |\bVALIDATE CONSTRAINT\b|^(UPDATE|DELETE) .*\bLIMIT\b.*\bRETURNING\b/i.test(
    statement,
  )
}
