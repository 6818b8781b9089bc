/**
 * Migrations let earlier versions go on, or say that they do not, and hold no lock that grows with a table
 * (docs/adr/0014-expand-and-contract.md).
 */
import { describe, expect, it } from 'vitest'
import { refusalOf } from '#core/data/served-from.ts'
import {
  longLocks,
  parseMigration,
  readMigrations,
  takenAway,
  unrepeatable,
} from '#test/support/migrations.ts'

/** The last migration from before the rule. */
const BEFORE = '20261124080001_signing_key_times'

const ALL = readMigrations()
const UNDER_THE_RULE = ALL.filter(({ name }) => name > BEFORE)

/** Migrations that lock a growing table for as long as it is large. This list may only shrink. */
const LONG: Readonly<Record<string, readonly string[]>> = {
  '20261120000300_event_links': ['makes an index'],
  '20261122000200_webhook_claim': ['makes an index'],
  '20261122060000_analyst': ['checks every row', 'makes an index', 'writes every row'],
  '20261122083000_charging_orders': ['checks every row'],
  '20261122101500_pending_is_due': ['checks every row', 'makes an index'],
  '20261123031951_message_centres': ['checks every row', 'makes an index'],
}

const served =
  /^INSERT INTO "access"\."served_from" \("migration", "version"\) VALUES \('([^']+)', '([^']+)'\)$/

it('EXPAND-01 MUST say in the first line whether it expands or contracts, and in the second what it locks', () => {
  for (const { name, head } of UNDER_THE_RULE) {
    expect([name, head[0]]).toEqual([name, expect.stringMatching(/^(expand|contract)$/)])
    expect([name, head[1]]).toEqual([name, expect.stringMatching(/^locks: [a-z]/)])
  }
})

it('EXPAND-02 MUST be marked contract where it takes away what an earlier version uses', () => {
  const unmarked = UNDER_THE_RULE.filter(({ head }) => head[0] === 'expand')
  expect(unmarked.map(one => [one.name, takenAway(one)])).toEqual(unmarked.map(({ name }) => [name, []]))
})

it('EXPAND-03 a contracting one MUST write the earliest version that serves the database, which is not to come', () => {
  for (const { name, head, statements } of UNDER_THE_RULE) {
    const rows = statements.flatMap(one => served.exec(one)?.slice(1) ?? [])
    expect(rows).toEqual(head[0] === 'contract' ? [name, expect.any(String)] : [])
    if (rows[1]) expect(refusalOf({ unknown: [], servedFrom: rows[1] })).toBeUndefined()
  }
})

it('EXPAND-04 MUST hold no lock that grows with a table, but for those that are known', () => {
  const long = ALL.map(one => [one.name, longLocks(one)] as const).filter(([, kinds]) => kinds.length > 0)
  expect(Object.fromEntries(long)).toEqual(LONG)
})

it('EXPAND-05 one in steps MUST be repeatable', () => {
  expect(ALL.flatMap(unrepeatable)).toEqual([])
})

describe('the check', () => {
  const parse = (sql: string) => parseMigration('x', sql)

  it.each([
    'ALTER TABLE "a"."b" DROP COLUMN "c"',
    'ALTER TABLE "a"."b" RENAME COLUMN "c" TO "d"',
    'ALTER TABLE "a"."b" RENAME TO "d"',
    'ALTER TABLE "a"."b" ALTER COLUMN "c" SET DATA TYPE BIGINT',
    'ALTER TABLE "a"."b" ALTER COLUMN "c" TYPE BIGINT',
    'ALTER TABLE "a"."b" ALTER COLUMN "c" SET NOT NULL',
    'ALTER TABLE "a"."b" ALTER COLUMN "c" DROP DEFAULT',
    'ALTER TABLE "a"."b" ADD COLUMN "c" TEXT NOT NULL',
    'ALTER TABLE "a"."b" ADD CONSTRAINT "c" CHECK ("d" > 0) NOT VALID',
    'ALTER TYPE "a"."b" RENAME VALUE \'c\' TO \'d\'',
    'ALTER TABLE "a"."b" SET SCHEMA "c"',
    'CREATE UNIQUE INDEX "c" ON "a"."b"("d")',
    'CREATE OR REPLACE FUNCTION "a"."b"() RETURNS INT LANGUAGE sql AS $$ SELECT 1; $$',
    'DROP TABLE "a"."b"',
    'DROP INDEX "a"."b"',
    '/* a remark */ DROP VIEW "a"."b"',
    'TRUNCATE "a"."b"',
    'DELETE FROM "a"."b"',
  ])('EXPAND-06 MUST find what takes away: %s', sql => {
    expect(takenAway(parse(`-- expand\n${sql};\n`))).toHaveLength(1)
  })

  it.each([
    'CREATE TABLE "a"."b" ("c" TEXT NOT NULL); ALTER TABLE "a"."b" ADD CONSTRAINT "d" CHECK (true)',
    'CREATE TABLE "a"."b" ("c" TEXT NOT NULL); CREATE UNIQUE INDEX "d" ON "a"."b"("c")',
    'ALTER TABLE "a"."b" RENAME TO "f"; CREATE TABLE "a"."b" ("c" TEXT); INSERT INTO "a"."b" SELECT * FROM "a"."f"; DROP TABLE "a"."f"',
    'ALTER TABLE "a"."b" ADD COLUMN "c" TEXT NOT NULL DEFAULT \'\'',
    'ALTER TABLE "a"."b" ADD COLUMN "type" TEXT -- DROP TABLE "a"."b"',
    '-- in steps\nDROP INDEX CONCURRENTLY IF EXISTS "a"."d"; CREATE INDEX CONCURRENTLY "d" ON "a"."b"("c")',
  ])('EXPAND-07 MUST pass what only adds: %s', sql => {
    const migration = parse(`${sql};\n`)
    expect([takenAway(migration), longLocks(migration), unrepeatable(migration)]).toEqual([[], [], []])
  })

  it.each([
    ['makes an index', 'CREATE INDEX "c" ON "a"."b"("d")'],
    ['checks every row', 'ALTER TABLE "a"."b" ALTER COLUMN "c" SET NOT NULL'],
    ['checks every row', 'ALTER TABLE "a"."b" ADD CONSTRAINT "c" UNIQUE ("d")'],
    [
      'checks every row',
      'ALTER TABLE "a"."b" ADD CONSTRAINT "c" CHECK (true) NOT VALID; ALTER TABLE "a"."b" VALIDATE CONSTRAINT "c"',
    ],
    ['writes every row', 'ALTER TABLE "a"."b" ALTER COLUMN "c" TYPE BIGINT'],
    ['writes every row', 'ALTER TABLE "a"."b" ADD COLUMN "c" UUID NOT NULL DEFAULT gen_random_uuid()'],
    ['writes every row', 'UPDATE "a"."b" SET "c" = 1'],
    ['rebuilds a table or an index', 'REINDEX TABLE "a"."b"'],
  ])('EXPAND-08 MUST find what %s: %s', (kind, sql) => {
    expect(longLocks(parse(`${sql};\n`))).toEqual([kind])
  })

  it.each([
    'CREATE INDEX CONCURRENTLY "c" ON "a"."b"("d")',
    'UPDATE "a"."b" SET "c" = 1 RETURNING 1',
    'ALTER TABLE "a"."b" ADD COLUMN "c" TEXT',
  ])('EXPAND-09 MUST find a step that cannot be repeated: %s', sql => {
    expect(unrepeatable(parse(`-- in steps\n${sql};\n`))).toHaveLength(1)
  })
})
