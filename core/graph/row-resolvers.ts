/**
 * Resolvers of rows: each declares the columns that it reads, and its row's type has no others. What is read of a table is found by
 * them (`connections.ts`).
 */
import type { GraphContext } from './loaders.ts'

const READ_BY = new WeakMap<object, readonly string[]>()

const hasAll = <Row extends object, Field extends keyof Row>(
  row: Partial<Row>,
  fields: readonly Field[],
): row is Partial<Row> & Pick<Row, Field> => {
  for (const field of fields) if (row[field] === undefined) return false
  return true
}

/**
 * Makes the function that makes resolvers of rows with some of their columns.
 * @returns a resolver that reads these columns. It throws where one was not read, instead of taking it for null.
 */
export const resolversOf =
  <Row extends object>() =>
  <Field extends keyof Row & string, Args, Result>(
    fields: readonly Field[],
    resolve: (row: Pick<Row, Field>, args: Args, context: GraphContext) => Result,
  ) => {
    const resolver = (row: Partial<Row>, args: Args, context: GraphContext): Result => {
      if (!hasAll<Row, Field>(row, fields)) throw new Error(`Read without a column of ${fields.join(', ')}`)
      return resolve(row, args, context)
    }
    READ_BY.set(resolver, fields)
    return resolver
  }

/** Finds the columns that a resolver reads; undefined for one that was not made here. */
export const columnsReadBy = (resolver: object): readonly string[] | undefined => READ_BY.get(resolver)

/** Whether a resolver was made here: it takes no `GraphQLResolveInfo`. */
export const readsRow = (resolver: object): boolean => READ_BY.has(resolver)
