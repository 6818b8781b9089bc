/** English messages of the page for analysts. */
import { pluralFor } from './plural.ts'

const plural = pluralFor('en')

export const analyseMessages = {
  analyse: {
    title: 'Analyse',
    lead: 'How many and how much, by period and group. The address is the analysis: copy it to share it.',
    question: 'The question',
    groupBy: 'Group by',
    per: 'Period',
    span: 'Time',
    thisMonth: 'This month',
    threeMonths: 'Three months',
    twelveMonths: 'Twelve months',
    ever: 'All there is',
    ownSpan: 'Own dates',
    postedBy: 'Partner (id)',
    measure: 'Measure',
    measures: {
      count: 'Transactions',
      completed: 'Carried out',
      failed: 'Failed',
      rate: 'Failure rate',
      amount: 'Amount moved',
      points: 'Points moved',
    },
    periods: { DAY: 'Day', WEEK: 'Week', MONTH: 'Month', ALL: 'Whole time' },
    groups: {
      KIND: 'Kind',
      OUTCOME: 'Outcome',
      PARTNER: 'Partner',
      MERCHANT: 'Merchant',
      CHANNEL: 'Channel',
      CURRENCY: 'Currency',
      REASON: 'Reason',
    },
    top: 'Top of each period',
    tops: { 5: '5', 10: '10', 20: '20', all: 'All' },
    rest: (count: number) => plural(count, { one: '# other', other: '# others' }),
    none: 'None named',
    table: 'Table',
    total: 'Total',
    rows: (count: number) => plural(count, { one: '# row', other: '# rows' }),
    change: 'Change',
    changeText: 'Against the period before',
    transactionsBehind: 'The transactions behind it',
  },
}
