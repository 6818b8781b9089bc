/** The start page: what the server offers, with links and commands to try. */
import { operationsOf, readDocument } from '#core/contract/openapi.ts'
import { once } from '#core/values/once.ts'
import { REST_SERVICES } from './documents.ts'
import { escapeHtml, renderPage } from './html.ts'

const link = (path: string, text = path) => `<a href="${path}">${escapeHtml(text)}</a>`

const rows = (name: string): string => {
  const document = readDocument(name)
  const operations = operationsOf(document).map(
    ({ method, path }) => `<code>${method} ${escapeHtml(path)}</code>`,
  )
  return `<tr><td>${escapeHtml(document.info.title)}</td><td>${operations.join('<br>')}</td>
<td>${link(`/openapi/${name}.yaml`, 'YAML')} ${link(`/openapi/${name}.json`, 'JSON')}</td></tr>`
}

const table = once(() => `<table>${REST_SERVICES.map(rows).join('\n')}</table>`)

const GRAPH_LINKS: readonly [path: string, what: string][] = [
  ['/graphql', 'GraphiQL: the graph, with example operations and subscriptions'],
  ['/schema.graphql', 'The schema of the graph'],
]

const LINKS: readonly [path: string, what: string][] = [
  ['/reference', 'The REST reference, each operation to be tried'],
  ['/health/ready', 'Whether the server can serve'],
  ['/metrics', 'Metrics for Prometheus'],
]

const graphCurl = (
  address: string,
) => `curl -s ${address}/graphql -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"query":"{ subscriber(mobileNumber: \\"+96891000002\\") { kind customer { customerName totalDues } } }"}'`

const restCurl = (address: string, clients: readonly string[]): string => {
  const credentials = clients[0] ? `${clients[0]}:${clients[0]}-secret` : '<client id>:<secret>'
  return `TOKEN=$(curl -s -u '${credentials}' -d grant_type=client_credentials \\
  ${address}/oauth2/accesstoken | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -s '${address}/postpaid-billing/v1/customers?phoneNumber=91000002' -H "authorization: Bearer $TOKEN"`
}

const demoNote = (clients: readonly string[]): string =>
  clients.length === 0
    ? ''
    : `<p>Demo clients: ${clients.map(id => `<code>${escapeHtml(id)}</code>`).join(', ')}; the secret is the id with
<code>-secret</code> appended.</p>`

/**
 * The page.
 * @param address the server's own, as the browser knows it: `http://127.0.0.1:4000`.
 * @param clients the clients of the demo data, whose secrets may be shown.
 * @param showsGraph whether clients may read the schema of the graph, and so its examples.
 */
export const startPage = (address: string, clients: readonly string[], showsGraph: boolean): string =>
  renderPage({
    title: 'partner-graph',
    body: `<main>
<h1>partner-graph</h1>
<p>A telecom operator's partner services on their REST contracts, and one graph over them.</p>
<dl>${[...(showsGraph ? GRAPH_LINKS : []), ...LINKS].map(([path, what]) => `<dt>${link(path)}</dt><dd>${escapeHtml(what)}</dd>`).join('\n')}</dl>
<h2>Try it</h2>
${demoNote(clients)}
<pre>${escapeHtml([restCurl(address, clients), ...(showsGraph ? [graphCurl(address)] : [])].join('\n'))}</pre>
<h2>REST</h2>
${table()}
</main>`,
  })
