/** Small parts that the tables of partner support share. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { GraphFault } from '../graph/errors.ts'
import type { SentQuery } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge, type Tone } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { useCopy } from '../kit/copy.ts'
import { Icon } from '../kit/icon.tsx'
import { useInSight } from '../kit/in-sight.ts'
import { curlOf } from '../kit/panel.tsx'
import { pageConfig } from '../page-config.ts'
import { allOf, type SearchParams } from '../search-params.ts'
import { readSpan, SPANS } from './span.ts'

interface ClientProps {
  readonly client: { readonly id: string; readonly name: string } | null
}

/** A client by its name; a link to what it sees where the page is the desk. */
export function ClientName({ client }: ClientProps) {
  const { m } = useTranslation()
  if (!client) return <span className="muted">{m.support.unknownClient}</span>
  return (
    <Link to={`/desk/partners/${encodeURIComponent(client.id)}`} title={client.id}>
      <bdi>{client.name}</bdi>
    </Link>
  )
}

const toneOf = (status: number): Tone =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 200 ? 'good' : 'calm'

interface HttpStatusProps {
  readonly status: number | null
  /** Whether it was refused all the same: the graph does that with 200. */
  readonly isRefused?: boolean
}

/** An HTTP status. */
export const HttpStatus = ({ status, isRefused = false }: HttpStatusProps) =>
  status === null ? null : (
    <Badge tone={isRefused && status < 400 ? 'warn' : toneOf(status)}>
      <span className="ltr number">{status}</span>
    </Badge>
  )

interface GuideLinkProps {
  readonly to: `/docs/${string}`
  readonly anchor: string
  readonly children: string
}

/** A link to a section of a guide; nothing where the guides are not shown. */
export const GuideLink = ({ to, anchor, children }: GuideLinkProps) =>
  pageConfig.introspection ? (
    <Link to={to} hash={anchor} className="text-link">
      {children}
    </Link>
  ) : null

/** An instant, short; exact as its title. */
export function Instant({ at }: { readonly at: string | null }) {
  const { f } = useTranslation()
  if (at === null) return null
  return (
    <time dateTime={at} title={f.exact(at)} className="nowrap">
      {f.dateTime(at)}
    </time>
  )
}

/** Why an act was refused, with the name of the reason that stays. */
export function Refusal({ faults }: { readonly faults: readonly GraphFault[] }) {
  return (
    <div role="alert">
      {faults.map(({ message, reason, code }) => (
        <p key={message} className="notice notice-bad">
          <Icon name="alert" />
          <span>
            {message} <code className="ltr small">{reason ?? code}</code>
          </span>
        </p>
      ))}
    </div>
  )
}

/** Copies a query or mutation as a command for a shell, in sight and not in a menu. */
export function CurlButton({ query }: { readonly query: SentQuery }) {
  const { m } = useTranslation()
  const { isCopied, copy } = useCopy()
  return (
    <Button
      look="quiet"
      icon={isCopied ? 'check' : 'code'}
      title={m.actions.copyCurl}
      onClick={() => copy(curlOf(query))}
    >
      <span className="curl-name">{isCopied ? m.actions.copied : 'curl'}</span>
    </Button>
  )
}

/** Parameters of the address, and the function that changes some of them. */
export function useAddress(): [SearchParams, (changes: Record<string, unknown>) => void] {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as SearchParams
  return [
    search,
    changes => navigate({ to: '.', search: { ...search, ...changes }, replace: true, resetScroll: false }),
  ]
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly value: string
}

/** One of a few, kept in the address. */
export function Choice({ label, name, options, value }: ChoiceProps) {
  const [, change] = useAddress()
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([option, text]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => change({ [name]: option })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

/** The span of time to look back over. */
export function SpanChoice() {
  const { m } = useTranslation()
  const [search] = useAddress()
  return (
    <Choice
      label={m.support.span}
      name="days"
      value={readSpan(search)}
      options={SPANS.map(span => [span, m.support.spans[span]])}
    />
  )
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly (readonly [path: string, text: string])[]
  /** Parameters of the address that go along. */
  readonly keep?: readonly string[]
}

/** The views of a page, as links. */
export function Tabs({ label, tabs, keep = ['days', 'partner'] }: TabsProps) {
  const [search] = useAddress()
  const kept = Object.fromEntries(keep.map(name => [name, allOf(search[name])[0]]))
  return (
    <nav ref={useInSight()} className="tabs scrolls" aria-label={label}>
      <ul>
        {tabs.map(([path, text]) => (
          <li key={path}>
            <Link to={path} search={kept} activeOptions={{ exact: true, includeSearch: false }}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
