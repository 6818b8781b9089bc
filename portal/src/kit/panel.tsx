/** Panels: a heading, the content, and a menu that shows and copies the panel's query and exports what it shows. */
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { operationName, shareHash } from '../graph/document.ts'
import type { SentQuery } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { pageConfig } from '../page-config.ts'
import { Button, IconButton } from './button.tsx'
import { Code } from './code.tsx'
import { type Cell, saveCsv, useCopy } from './copy.ts'
import { Dialog } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuItem } from './menu.tsx'

type CsvRows = readonly (readonly Cell[])[]

interface PanelProps {
  readonly title: string
  /** Beside the title: a count, a state. */
  readonly aside?: ReactNode
  /** The query behind what is shown. */
  readonly query?: SentQuery
  /** Rows of what is shown, the heading first. */
  readonly csv?: () => CsvRows | Promise<CsvRows> | Promise<void>
  readonly className?: string
  readonly children: ReactNode
}

/** The query as a command for a shell. */
export const curlOf = ({ document, variables }: SentQuery): string => {
  const body = JSON.stringify({ query: document, variables }).replaceAll("'", "'\\''")
  return [
    `curl -s ${location.origin}/graphql`,
    `  -H "authorization: Bearer $TOKEN"`,
    `  -H 'content-type: application/json'`,
    `  -d '${body}'`,
  ].join(' \\\n')
}

function QueryDialog({ query, isOpen, onClose }: { query: SentQuery; isOpen: boolean; onClose: () => void }) {
  const { m } = useTranslation()
  const { isCopied, copy } = useCopy()
  const variables = JSON.stringify(query.variables, null, 2)
  return (
    <Dialog title={operationName(query.document)} isOpen={isOpen} onClose={onClose} wide>
      <h3>{m.actions.query}</h3>
      <Code label={m.actions.query} text={query.document} />
      <h3>{m.actions.variables}</h3>
      <Code label={m.actions.variables} text={variables} />
      <div className="row">
        <Button look="main" icon={isCopied ? 'check' : 'copy'} onClick={() => copy(query.document)}>
          {isCopied ? m.actions.copied : m.actions.copyQuery}
        </Button>
        <Button icon="code" onClick={() => copy(curlOf(query))}>
          {m.actions.copyCurl}
        </Button>
      </div>
    </Dialog>
  )
}

export function Panel({ title, aside, query, csv, className = '', children }: PanelProps) {
  const { m } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [fault, setFault] = useState<string>()
  const { copy } = useCopy()
  const navigate = useNavigate()
  const openInIde = ({ document, variables }: SentQuery) =>
    navigate({
      to: '/graphql',
      hash: shareHash({ query: document, variables: JSON.stringify(variables, null, 2) }),
    })
  const exportCsv = async () => {
    setFault(undefined)
    try {
      const rows = await csv?.()
      if (Array.isArray(rows)) saveCsv(title, rows)
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <section className={`panel ${className}`} aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        {aside && <div className="panel-aside">{aside}</div>}
        {csv && <IconButton icon="download" label={`${m.actions.exportCsv}: ${title}`} onClick={exportCsv} />}
        {(query || csv) && (
          <Menu button={<IconButton icon="more" label={m.actions.panelMenu(title)} />}>
            {query && (
              <MenuItem icon="code" onChoose={() => setOpen(true)}>
                {m.actions.showQuery}
              </MenuItem>
            )}
            {query && (
              <MenuItem icon="copy" onChoose={() => copy(query.document)}>
                {m.actions.copyQuery}
              </MenuItem>
            )}
            {query && (
              <MenuItem icon="copy" onChoose={() => copy(curlOf(query))}>
                {m.actions.copyCurl}
              </MenuItem>
            )}
            {query && pageConfig.introspection && (
              <MenuItem icon="external" onChoose={() => openInIde(query)}>
                {m.actions.openInIde}
              </MenuItem>
            )}
            {csv && (
              <MenuItem icon="download" onChoose={exportCsv}>
                {m.actions.exportCsv}
              </MenuItem>
            )}
          </Menu>
        )}
      </header>
      {fault && (
        <p className="notice notice-bad" role="alert">
          <Icon name="alert" />
          <span>{m.actions.notExported(fault)}</span>
        </p>
      )}
      {children}
      {query && isOpen && <QueryDialog query={query} isOpen onClose={() => setOpen(false)} />}
    </section>
  )
}
