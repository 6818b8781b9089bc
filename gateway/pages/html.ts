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
  readonly body: string
}

/** A whole document without scripts. */
export const renderPage = ({ title, body }: PageContent): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages/pages.css">
</head>
<body>
${body}
</body>
</html>
`
