/** The example operations with which GraphiQL opens: those of `schema/operations`, with variables for the demo data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../schema/operations')

/** What opens as one tab. */
export interface Example {
  readonly query: string
  /** JSON; the page puts something new each time where `{new}` stands. */
  readonly variables: string
}

const SINCE = { from: '2026-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }

const PAYMENT = {
  clientCorrelatorId: 'graphiql-{new}',
  referenceCode: '{new}',
  customerInfo: { customerAccountNumber: '100002', phoneNumber: '91000002' },
  paymentInfo: { paymentInformation: { amount: 1.5, currency: 'OMR', description: 'Posted from GraphiQL' } },
}

/** By file name, in the order of the tabs. */
const VARIABLES: Record<string, unknown> = {
  'customer-360': { n: '+96891000002' },
  timeline: { n: '+96891000002' },
  summary: SINCE,
  'create-payment': { input: { paymentTransaction: PAYMENT } },
  'live-desk': { kinds: null, after: null },
}

/** Reads the examples. */
export const readExamples = (): Example[] =>
  Object.entries(VARIABLES).map(([name, variables]) => ({
    query: readFileSync(join(FOLDER, `${name}.graphql`), 'utf8'),
    variables: JSON.stringify(variables, null, 2),
  }))
