/** HTML pages as texts: their frame, and how values are written into them. */

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it may stand in an element or an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, found => ENTITIES[found]!)

/** Data for a page's scripts, in a block that browsers do not execute. */
export const dataBlock = (id: string, data: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`

interface PageContent {
  readonly title: string
  /** Stylesheets and scripts by their names under `/pages/`, in the order in which they are loaded. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
  /** The page's own script, a module. */
  readonly module?: string
  readonly body: string
}

const styleOf = (name: string) => `<link rel="stylesheet" href="/pages/${name}">`
const scriptOf = (name: string) => `<script src="/pages/${name}"></script>`
const moduleOf = (name: string) => `<script type="module" src="/pages/${name}"></script>`

/** A whole document. */
export const renderPage = ({ title, styles = [], scripts = [], module, body }: PageContent): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${[...styles, 'pages.css'].map(styleOf).join('\n')}
</head>
<body>
${body}
${[...scripts.map(scriptOf), ...(module ? [moduleOf(module)] : [])].join('\n')}
</body>
</html>
`
