/**
 * The guides of `docs/` as parts of the build: each as HTML, with the text of all for the search. Vite gives them to the
 * pages as `virtual:guides`, `virtual:guide-texts`, and a file `?guide` for each.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Kind, parse } from 'graphql'
import { Marked, type Tokens } from 'marked'
import type { Plugin } from 'vite'
import { escapeHtml } from '#gateway/pages/html.ts'
import { DOCUMENTS } from '#subgraphs/names.ts'

const FOLDER = join(import.meta.dirname, '../docs')

/** Guides by the reader they are for, in the order of the contents; all others stand among the last. */
export const GROUPS = {
  portals: ['portal', 'graph', 'subscriptions', 'analyst', 'bi', 'agents'],
  partners: ['partner', 'webhooks'],
  operators: ['operating', 'settings', 'pages', 'connectors', 'scaling', 'reliability'],
  developers: ['architecture', 'decisions', 'ways', 'adding-a-service', 'licences'],
} as const

export type GuideGroup = keyof typeof GROUPS

/** A part of a guide, from one heading to the next. */
export interface Section {
  readonly heading: string
  /** Fragment of the address; empty for what stands above the first heading of the second level. */
  readonly anchor: string
  readonly level: number
  readonly text: string
}

/** A guide as it is shown and found. */
export interface Guide {
  /** Path below `/docs/`: `portal`, `adr/0002-gapless-sequence`. */
  readonly name: string
  readonly title: string
  readonly group: GuideGroup
  readonly html: string
  readonly sections: readonly Section[]
  /** Links to other guides and to headings, with the text that they stand at. */
  readonly links: readonly string[]
}

/** Address at which a server has a file of `schema/`; undefined for files that are not served. */
const servedAddress = (path: string): string | undefined => {
  const file = /^\.\.\/(?:\.\.\/)?schema\/([\w.-]+)$/.exec(path)?.[1]
  if (file === 'events.asyncapi.yaml') return '/asyncapi.yaml'
  if (file === 'api.graphql') return '/schema.graphql'
  const contract = DOCUMENTS.find(({ document }) => `${document}.openapi.yaml` === file)
  return contract && `/openapi/${contract.document}.yaml`
}

const plain = (html: string) => html.replace(/<[^>]+>/g, '')

/** The text that HTML shows. */
const shownText = (html: string) =>
  plain(html)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Fragment of a heading, by the rules of GitHub. */
const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Values of the demo data for variables that an example leaves open. */
const DEMO: Readonly<Record<string, unknown>> = {
  PhoneNumber: '+96891000002',
  account: '100002',
  from: '2026-01-01T00:00:00Z',
  to: '2100-01-01T00:00:00Z',
  partner: 'demo-partner',
}

/** Address at which an example can be run; undefined for what is no operation. */
const runAddress = (text: string): string | undefined => {
  try {
    const { definitions } = parse(text, { noLocation: true })
    const operations = definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION)
    if (operations.length === 0 || definitions.some(one => /Type|Schema|Directive/.test(one.kind)))
      return undefined
    const declared = [...text.matchAll(/\$(\w+):\s*\[?(\w+)/g)].map(([, name, type]) => [
      name!,
      DEMO[name!] ?? DEMO[type!] ?? null,
    ])
    const variables = JSON.stringify(Object.fromEntries(declared), null, 2)
    return `/graphql#${new URLSearchParams({ query: text, variables })}`
  } catch {
    return undefined
  }
}

/** A sequence diagram as a list of its steps; other diagrams stay as they are written. */
const stepsOf = (text: string): string | undefined => {
  if (!text.startsWith('sequenceDiagram')) return undefined
  const names = new Map(
    [...text.matchAll(/participant (\w+) as (.+)/g)].map(([, id, name]) => [id!, name!] as const),
  )
  const steps = [...text.matchAll(/^\s*(\w+)-+>>(\w+): (.+)$/gm)].map(([, from, to, what]) => {
    const ends = [...new Set([from!, to!])].map(id => `<b>${escapeHtml(names.get(id) ?? id)}</b>`)
    return `<li>${ends.join(' → ')}<span>${escapeHtml(what!)}</span></li>`
  })
  return `<ol class="guide-steps">${steps.join('')}</ol>`
}

const codeBlock = ({ text, lang = '' }: Tokens.Code): string => {
  const steps = lang === 'mermaid' && stepsOf(text)
  if (steps) return steps
  const run = lang === 'graphql' && runAddress(text)
  const tools = `${run ? `<a class="guide-run" href="${escapeHtml(run)}"></a>` : ''}<button type="button" class="guide-copy"></button>`
  return `<div class="guide-code"><div class="guide-tools">${tools}</div><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`
}

/** Renders a guide. */
const render = (name: string, text: string, titles: ReadonlyMap<string, string>): Guide => {
  const links: string[] = []
  const headings: { text: string; anchor: string; level: number; at: number }[] = []
  const used = new Map<string, number>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const slug = slugOf(
          plain(html)
            .replaceAll('&amp;', '&')
            .replaceAll(/&\w+;|&#\d+;/g, ''),
        )
        const before = used.get(slug) ?? 0
        used.set(slug, before + 1)
        const anchor = before ? `${slug}-${before}` : slug
        headings.push({ text: plain(html), anchor, level: depth, at: headings.length })
        return `<h${depth} id="${anchor}">${html}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        if (/^[a-z]+:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${html}</a>`
        const [path = '', anchor] = href.split('#')
        const served = servedAddress(path)
        if (served) return `<a href="${served}">${html}</a>`
        const target =
          path === '' ? name : posix.join(posix.dirname(name), path).replace(/(\/README)?\.md$/, '')
        const title = titles.get(target)
        if (title === undefined) return `<span class="guide-file">${html}</span>`
        const address = `/docs/${target}${anchor ? `#${anchor}` : ''}`
        links.push(address)
        // A link that names a file in the sources names the guide on a page.
        const shown = /^[\w/.-]+\.md$/.test(plain(html)) ? escapeHtml(title) : html
        return `<a href="${address}">${shown}</a>`
      },
      code: codeBlock,
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        return `<div class="guide-table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows.map(cells => row(cells, 'td')).join('')}</tbody></table></div>`
      },
      html: ({ text: html }) => (html.startsWith('<!--') ? '' : html),
    },
  })
  const html = marked.parse(text, { async: false })
  const parts = html.split(/<h[1-3] id="[^"]*">.*?<\/h[1-3]>\n/s)
  const shown = headings.filter(({ level }) => level <= 3)
  const sections = shown.map(({ text: heading, anchor, level }, index) => ({
    heading,
    anchor: level === 1 ? '' : anchor,
    level,
    text: shownText(
      (parts[index + 1] ?? '').replaceAll(/<\/?(p|li|td|th|tr|pre|div|ul|ol|h\d)\b[^>]*>/g, ' '),
    )
      .replaceAll(/\s+/g, ' ')
      .trim(),
  }))
  const found = Object.entries(GROUPS).find(([, names]) => (names as readonly string[]).includes(name))
  return {
    name,
    title: shownText(headings[0]?.text ?? name),
    group: (found?.[0] ?? 'developers') as GuideGroup,
    html,
    sections,
    links,
  }
}

/** Reads and renders all guides, in the order of the contents. */
export function readGuides(): Guide[] {
  const files = globSync('{*,adr/*}.md', { cwd: FOLDER }).toSorted()
  const nameOf = (file: string) => file.replace(/(\/README)?\.md$/, '')
  const texts = files.map(file => [nameOf(file), readFileSync(join(FOLDER, file), 'utf8')] as const)
  const titles = new Map(texts.map(([name, text]) => [name, /^# (.+)$/m.exec(text)?.[1] ?? name]))
  const order: readonly string[] = Object.values(GROUPS).flat()
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return texts
    .map(([name, text]) => render(name, text, titles))
    .toSorted((one, other) => place(one.name) - place(other.name))
}

/** File of a guide, as the pages import it. */
const GUIDE = 'virtual:guide/'

/** The plugin that gives the guides to the pages. */
export function guides(): Plugin {
  let read: Guide[] | undefined
  const all = () => {
    read ??= readGuides()
    return read
  }
  return {
    name: 'guides',
    buildStart() {
      read = undefined
      for (const file of globSync('{*,adr/*}.md', { cwd: FOLDER })) this.addWatchFile(join(FOLDER, file))
    },
    resolveId: id => (id.startsWith('virtual:guide') ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith('\0virtual:guide')) return undefined
      const name = id.slice(1)
      if (name === 'virtual:guides') {
        const entries = all().map(
          guide =>
            `{ name: ${JSON.stringify(guide.name)}, title: ${JSON.stringify(guide.title)}, group: ${JSON.stringify(guide.group)}, load: () => import(${JSON.stringify(GUIDE + guide.name)}) }`,
        )
        return `export const guides = [${entries.join(',\n')}]\nexport const loadTexts = () => import('virtual:guide-texts')`
      }
      if (name === 'virtual:guide-texts') {
        const texts = all().flatMap(({ name: guide, title, sections }) =>
          sections.map(({ heading, anchor, text }) => ({ guide, title, heading, anchor, text })),
        )
        return `export const texts = JSON.parse(${JSON.stringify(JSON.stringify(texts))})`
      }
      const guide = all().find(one => GUIDE + one.name === name)
      if (!guide) return undefined
      const headings = guide.sections
        .filter(({ level }) => level === 2)
        .map(({ heading, anchor }) => ({ heading, anchor }))
      return `export const html = ${JSON.stringify(guide.html)}\nexport const headings = ${JSON.stringify(headings)}`
    },
  }
}
