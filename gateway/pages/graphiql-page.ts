/** GraphiQL, opened with the example operations. */
import { readExamples } from './examples.ts'
import { dataBlock, renderPage } from './html.ts'
import { signInBar } from './sign-in.ts'

/** The page; `clients` are those that it can be signed in as without their secrets. */
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
