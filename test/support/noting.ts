/** How many statements something takes: a database that notes the raw ones, which all reading on behalf of the graph is. */
import { Prisma, type Reader } from '#core/data/db.ts'

/** A database that notes the text of each raw query. */
export function noting<Db extends Reader>(db: Db, statements: string[]): Db {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'lookups') return target.lookups && noting(target.lookups, statements)
      if (name !== '$queryRaw') return typeof value === 'function' ? value.bind(target) : value
      return (text: readonly string[], ...values: never[]) => {
        const statement = Prisma.sql(text, ...values)
        statements.push(statement.sql)
        return target.$queryRaw(statement)
      }
    },
  })
}
