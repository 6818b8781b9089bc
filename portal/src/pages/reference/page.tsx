/** The REST contracts by Swagger UI, each operation to be tried as whoever is signed in. */
import './reference.css'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/i18n.tsx'
import { preferences } from '../../i18n/preferences.ts'
import { EVENTS_FILE } from '../../kit/contract-files.tsx'
import { Failed, Loading } from '../../kit/states.tsx'
import { useStore } from '../../kit/store.ts'
import { pageConfig } from '../../page-config.ts'
import { accessToken } from '../../session/session.ts'

/** A request as Swagger UI is about to send it. */
interface TriedRequest {
  readonly url: string
  headers?: Record<string, string>
}

/** The parts of Swagger UI that are used here; its files put them on the window. */
interface SwaggerWindow {
  readonly SwaggerUIBundle?: ((options: object) => unknown) & { readonly presets: { readonly apis: unknown } }
  readonly SwaggerUIStandalonePreset?: unknown
}

const loadScript = (address: string): Promise<void> =>
  new Promise((done, fail) => {
    const script = Object.assign(document.createElement('script'), { src: address })
    script.onload = () => done()
    script.onerror = () => {
      script.remove()
      fail(new Error(`${address} could not be loaded`))
    }
    document.head.append(script)
  })

let loaded: Promise<unknown> | undefined

/** Loads Swagger UI once; what failed is tried again at the next call. */
const load = () => {
  loaded ??= Promise.all(['/pages/swagger-ui.js', '/pages/swagger-ui-preset.js'].map(loadScript)).catch(
    error => {
      loaded = undefined
      throw error
    },
  )
  return loaded
}

const withToken = async (request: TriedRequest): Promise<TriedRequest> => {
  const isOwn = new URL(request.url, location.href).origin === location.origin
  const token = isOwn && !request.headers?.['Authorization'] ? await accessToken() : undefined
  if (token) request.headers = { ...request.headers, Authorization: `Bearer ${token}` }
  return request
}

/** Swagger UI has dark colours of its own, by a class of the document. */
const useDark = () => {
  const { theme } = useStore(preferences)
  useEffect(() => {
    const system = matchMedia('(prefers-color-scheme: dark)')
    const { classList } = document.documentElement
    const apply = () =>
      classList.toggle('dark-mode', theme === 'dark' || (theme === 'system' && system.matches))
    apply()
    system.addEventListener('change', apply)
    return () => {
      system.removeEventListener('change', apply)
      classList.remove('dark-mode')
    }
  }, [theme])
}

export default function ReferencePage() {
  const { m } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ readonly isThere?: boolean; readonly fault?: string }>({})
  useDark()
  useEffect(() => {
    let isCurrent = true
    setState({})
    load().then(
      () => {
        const { SwaggerUIBundle: show, SwaggerUIStandalonePreset } = window as SwaggerWindow
        if (!isCurrent || !show) return
        show({
          domNode: place.current,
          urls: pageConfig.contracts.map(name => ({ name, url: `/openapi/${name}.yaml` })),
          presets: [show.presets.apis, SwaggerUIStandalonePreset],
          layout: 'StandaloneLayout',
          deepLinking: true,
          tryItOutEnabled: true,
          // It would be asked over the network.
          validatorUrl: null,
          requestInterceptor: withToken,
        })
        setState({ isThere: true })
      },
      (error: Error) => isCurrent && setState({ fault: error.message }),
    )
    return () => {
      isCurrent = false
    }
  }, [round])
  return (
    <>
      <link rel="stylesheet" href="/pages/swagger-ui.css" precedence="low" />
      <header className="reference-head">
        <h1>{m.reference.title}</h1>
        <p className="muted">
          {m.reference.lead}{' '}
          <a href={EVENTS_FILE} download className="text-link">
            {m.contracts.events}
          </a>
        </p>
      </header>
      {state.fault && (
        <Failed faults={[{ message: state.fault, code: 'NETWORK' }]} onRetry={() => setRound(round + 1)} />
      )}
      {!state.fault && !state.isThere && <Loading rows={10} />}
      <div ref={place} className="reference" dir="ltr" lang="en" />
    </>
  )
}
