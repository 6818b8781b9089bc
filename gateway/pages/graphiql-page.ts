/** GraphiQL, opened with the example operations of `schema/operations` and variables for the demo data. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataBlock, renderPage } from './html.ts'
import { signInBar } from './sign-in.ts'

const FOLDER = join(import.meta.dirname, '../../schema/operations')

/** The content of one tab. */
interface Tab {
  readonly query: string
  /** JSON; the page replaces `{new}` by a new text each time. */
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
export const readExamples = (): Tab[] =>
  Object.entries(VARIABLES).map(([name, variables]) => ({
    query: readFileSync(join(FOLDER, `${name}.graphql`), 'utf8'),
    variables: JSON.stringify(variables, null, 2),
  }))

/** @param clients the clients that the page offers to sign in as. */
export const graphiqlPage = (clients: readonly string[]): string =>
  renderPage({
    title: 'GraphiQL – partner-graph',
    styles: ['graphiql.css', 'graphiql-page.css'],
    scripts: ['react.js', 'react-dom.js', 'graphiql.js'],
    module: 'graphiql-page.js',
    body: `${signInBar('GraphiQL', clients)}
<div id="graphiql"></div>
${dataBlock('examples', readExamples())}`,
  })
