/** Statements of migrations: where one ends, and which may wait for a lock because others go on meanwhile. */
import { expect, it } from 'vitest'
import { isHarmless } from '#core/data/migration-locks.ts'
import { statementsOf } from '#core/data/migrations.ts'

it.each([
  'CREATE INDEX CONCURRENTLY "a" ON "b"."c" ("d")',
  'drop index concurrently if exists "b"."a"',
  'ALTER TABLE "b"."c" VALIDATE CONSTRAINT "d"',
  '-- A remark\nCREATE INDEX CONCURRENTLY "a" ON "b"."c" ("d")',
])('STEPS-01 MUST wait for older transactions with %s', step => {
  expect(isHarmless(step)).toBe(true)
})

it.each([
  '-- Not CONCURRENTLY, since the table is small\nCREATE INDEX "a" ON "b"."c" ("d")',
  '/* VALIDATE comes\n later */ ALTER TABLE "b"."c" ADD CONSTRAINT "d" CHECK (true) NOT VALID',
  'ALTER TABLE "b"."c" ADD COLUMN "validate" TEXT',
  `UPDATE "b"."c" SET "d" = 'VALIDATE' RETURNING 1`,
])('STEPS-02 MUST give up soon with %s', step => {
  expect(isHarmless(step)).toBe(false)
})

it('STEPS-03 MUST end a statement at no semicolon of a comment, a text or a function', () => {
  const statements = [
    'SELECT 1 -- one; two',
    '/* three; four */ SELECT 2',
    `SELECT 'five; ''six;'`,
    'CREATE FUNCTION a() RETURNS INT LANGUAGE sql AS $$ SELECT 1; SELECT 2; $$',
  ]
  expect(statementsOf(statements.map(one => `${one}\n;`).join('\n'))).toEqual(statements)
})
