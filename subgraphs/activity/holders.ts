/** Whose activity is asked for: one account's, one number's, or everyone's. */
import DataLoader from 'dataloader'
import { Prisma } from '../shared/data/db.ts'

/** The columns that both entries and sums have. */
export type HolderColumn = 'account_number' | 'mobile_number'

/** A question about one holder; equal questions about many holders become one statement. */
export interface Asked<Question> {
  readonly column: HolderColumn
  readonly holder: string
  readonly question: Question
}

type ReadMany<Question, Answer> = (
  question: Question,
  column: HolderColumn,
  holders: string[],
) => Promise<Answer[]>

/** JSON has no word for a bigint. */
const writeBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

const withoutHolder = <Question>({ column, question }: Asked<Question>) =>
  JSON.stringify([column, question], writeBigint)

/** The column of a table's alias, as SQL. */
export const columnOf = (alias: string, column: HolderColumn): Prisma.Sql => Prisma.raw(`${alias}.${column}`)

/** Groups what is asked by the question, and reads the answers for all holders of a question at once. */
export const byHolder = <Question, Answer>(read: ReadMany<Question, Answer>) =>
  new DataLoader<Asked<Question>, Answer, string>(
    async asked => {
      const answers = new Map<Asked<Question>, Answer>()
      for (const group of Map.groupBy(asked, withoutHolder).values()) {
        const { question, column } = group[0]!
        const holders = group.map(({ holder }) => holder)
        const found = await read(question, column, holders)
        group.forEach((one, index) => answers.set(one, found[index] as Answer))
      }
      return asked.map(one => answers.get(one) as Answer)
    },
    { cacheKeyFn: one => `${one.holder} ${withoutHolder(one)}` },
  )
