/** The REST contracts, readable and to be tried. */
import { REST_SERVICES } from './documents.ts'
import { dataBlock, renderPage } from './html.ts'
import { signInBar } from './sign-in.ts'

const DOCUMENTS = REST_SERVICES.map(name => ({ name, url: `/openapi/${name}.yaml` }))

/** The page; `clients` are those that it can be signed in as without their secrets. */
export const referencePage = (clients: readonly string[]): string =>
  renderPage({
    title: 'REST reference – partner-graph',
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui.js', 'swagger-ui-preset.js'],
    module: 'reference-page.js',
    body: `${signInBar('REST reference', clients)}
<div id="reference"></div>
${dataBlock('documents', DOCUMENTS)}`,
  })
