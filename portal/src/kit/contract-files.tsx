/** The machine-readable documents of this server: files for generators, for readers of contracts and for agents. */
import { useTranslation } from '../i18n/i18n.tsx'
import { pageConfig } from '../page-config.ts'
import { Icon } from './icon.tsx'

/** Address of the document of the events. */
export const EVENTS_FILE = '/asyncapi.yaml'

/** Address of the schema of the graph. */
const SCHEMA_FILE = '/schema.graphql'

/** Addresses of all of them: the events, the graph where clients may read its schema, and the contracts. */
export const CONTRACT_FILES: readonly string[] = [
  EVENTS_FILE,
  ...(pageConfig.introspection ? [SCHEMA_FILE] : []),
  ...pageConfig.contracts.map(name => `/openapi/${name}.yaml`),
]

/** Links to the documents, each with what it describes. */
export function ContractFiles({ files = CONTRACT_FILES }: { readonly files?: readonly string[] }) {
  const { m } = useTranslation()
  const textOf = (file: string) => {
    if (file === EVENTS_FILE) return m.contracts.events
    return file === SCHEMA_FILE ? m.contracts.graph : m.contracts.rest
  }
  return (
    <ul className="contract-files">
      {files.map(file => (
        <li key={file}>
          <a href={file} download>
            <Icon name="download" />
            <span>
              <code className="ltr">{file.split('/').at(-1)}</code> <small>{textOf(file)}</small>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
