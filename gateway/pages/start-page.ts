/**
 * Start page for clients without scripts, with links and commands to try. It stands within the shell of the built pages, and
 * takes their place where they are not built.
 */
import { operationsOf, readDocument } from '#core/contract/openapi.ts'
import { REST_DOCUMENTS } from './documents.ts'
import { escapeHtml, renderPage } from './html.ts'

/** Facts of the server that the page shows. */
export interface StartPageOptions {
  /** The server's own address, as the browser knows it: `http://127.0.0.1:4000`. */
  readonly address: string
  /** Ids of the demo clients. Their secrets may be shown. */
  readonly clients: readonly string[]
  /** Whether clients may read the schema of the graph. Its links and example are shown only then. */
  readonly showsGraph: boolean
  /** Whether this server issues the tokens. */
  readonly issuesTokens: boolean
}

const link = (path: string, text = path) => `<a href="${path}">${escapeHtml(text)}</a>`

/** Renders the row of a REST document: its title, its operations, and links to its files. */
const rowOf = (name: string): string => {
  const document = readDocument(name)
  const operations = operationsOf(document).map(
    ({ method, path }) => `<code>${method} ${escapeHtml(path)}</code>`,
  )
  return `<tr><td>${escapeHtml(document.info.title)}</td><td>${operations.join('<br>')}</td>
<td>${link(`/openapi/${name}.yaml`, 'YAML')} ${link(`/openapi/${name}.json`, 'JSON')}</td></tr>`
}

let restTableOnce: string | undefined

/** Renders the table of REST documents, once. */
const restTable = (): string => (restTableOnce ??= `<table>${REST_DOCUMENTS.map(rowOf).join('\n')}</table>`)

// The editor and the REST reference are not here: without scripts, or unbuilt, their addresses lead back to this text.
const GRAPH_LINKS: readonly [path: string, what: string][] = [['/schema.graphql', 'The schema of the graph']]

const LINKS: readonly [path: string, what: string][] = [
  ['/asyncapi.yaml', 'The events: webhooks, subscriptions, long poll'],
  ['/health/ready', 'Whether the server can serve'],
  ['/metrics', 'Metrics for Prometheus'],
]

const graphCurl = (
  address: string,
) => `curl -s ${address}/graphql -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  -d '{"query":"{ subscriber(mobileNumber: \\"+96891000002\\") { kind customer { customerName totalDues } } }"}'`

/** Command that puts a token into `$TOKEN`: from this server, or by hand where another issuer gives tokens. */
const tokenCommand = ({ address, clients, issuesTokens }: StartPageOptions): string => {
  if (!issuesTokens) return `TOKEN='<access token of your identity provider>'`
  const credentials = clients[0] ? `${clients[0]}:${clients[0]}-secret` : '<client id>:<secret>'
  return `TOKEN=$(curl -s -u '${credentials}' -d grant_type=client_credentials \\
  ${address}/oauth2/accesstoken | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`
}

const restCurl = (options: StartPageOptions): string => `${tokenCommand(options)}
curl -s '${options.address}/postpaid-billing/v1/customers?phoneNumber=91000002' -H "authorization: Bearer $TOKEN"`

const demoHint = (clients: readonly string[]): string =>
  clients.length === 0
    ? ''
    : `<p>Demo clients: ${clients.map(id => `<code>${escapeHtml(id)}</code>`).join(', ')}; the secret is the id with
<code>-secret</code> appended.</p>`

/**
 * Renders links to what the server offers, and commands to try.
 * @param hint HTML below the heading.
 */
const startBody = (options: StartPageOptions, hint: string): string => {
  const { address, clients, showsGraph } = options
  return `<main>
<h1>partner-graph</h1>
<p>A telecom operator's partner services on their REST contracts, and one graph over them.</p>
<p>${hint}</p>
<dl>${[...(showsGraph ? GRAPH_LINKS : []), ...LINKS].map(([path, what]) => `<dt>${link(path)}</dt><dd>${escapeHtml(what)}</dd>`).join('\n')}</dl>
<h2>Try it</h2>
${demoHint(clients)}
<pre>${escapeHtml([restCurl(options), ...(showsGraph ? [graphCurl(address)] : [])].join('\n'))}</pre>
<h2>REST</h2>
${restTable()}
</main>`
}

/** Renders the part of the shell for clients without scripts: text browsers, `curl`. */
export const noScript = (options: StartPageOptions): string =>
  `<noscript>${startBody(options, 'The pages need scripts. What follows works without them.')}</noscript>`

/** Renders the page that takes the place of all others where they are not built. */
export const startPage = (options: StartPageOptions): string =>
  renderPage({
    title: 'partner-graph',
    body: startBody(
      options,
      'The pages are not built: run <code>npm run build:pages</code>, or copy <code>portal/dist</code> from a machine that has built them.',
    ),
  })
