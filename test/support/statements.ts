/** Databases for tests that look at statements: each one passes them on, and sees what it is sent. */
import { type Db, Prisma, type Statements } from '#core/data/db.ts'

type Statement = TemplateStringsArray | Prisma.Sql

const sqlOf = (statement: Statement, values: unknown[]) =>
  'raw' in statement ? Prisma.sql(statement, ...values) : statement

/** Called with each raw read and with what sends it; returns its rows. */
type Pass = (statement: Prisma.Sql, send: () => Promise<unknown>) => Promise<unknown>

/** The same database, whose raw reads outside of transactions go through a function. */
export const readingThrough = (db: Db, pass: Pass): Db => {
  const through =
    (read: Statements['$queryRaw']): Statements['$queryRaw'] =>
    <Rows>(statement: Statement, ...values: unknown[]) => {
      const sql = sqlOf(statement, values)
      return pass(sql, () => read(sql)) as Promise<Rows>
    }
  return db.$extends({ client: { $queryRaw: through(db.$queryRaw), $lookUp: through(db.$lookUp) } })
}

/** The same database, which notes the text of each raw read: all reading on behalf of the graph is. */
export const noting = (db: Db, texts: string[]): Db =>
  readingThrough(db, (statement, send) => {
    texts.push(statement.sql)
    return send()
  })

/** Raw statements the way that Prisma itself sends them, which those of the driver are compared with. */
export const byPrisma = (db: Db): Pick<Statements, '$queryRaw' | '$executeRaw'> => ({
  $queryRaw<Rows>(statement: Statement, ...given: unknown[]) {
    const { text, values } = sqlOf(statement, given)
    return db.$queryRawUnsafe<Rows>(text, ...values)
  },
  $executeRaw(statement, ...given) {
    const { text, values } = sqlOf(statement, given)
    return db.$executeRawUnsafe(text, ...values)
  },
})
