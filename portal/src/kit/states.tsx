/** States of a view that has nothing to show yet, or not all: each says what is the matter and what helps. */
import type { ReactNode } from 'react'
import { type GraphFault, isForbidden, isUnknown } from '../graph/errors.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { session } from '../session/session.ts'
import { openSignIn } from '../shell/sign-in-open.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useStore } from './store.ts'

interface StateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly tone?: 'calm' | 'bad'
}

export function State({ icon, title, children, tone = 'calm' }: StateProps) {
  return (
    <div className={`state state-${tone}`}>
      <span className="state-icon">
        <Icon name={icon} />
      </span>
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
    </div>
  )
}

/** Grey bars in the place of what is on its way. */
export function Loading({ rows = 3 }: { readonly rows?: number }) {
  const { m } = useTranslation()
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{m.states.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className="skeleton-bar" />
      ))}
    </div>
  )
}

interface FailedProps {
  readonly faults: readonly GraphFault[]
  readonly onRetry?: (() => void) | undefined
}

export function Failed({ faults, onRetry }: FailedProps) {
  const { m } = useTranslation()
  if (faults.some(isForbidden)) return <NoRights />
  return (
    <State icon="alert" title={m.states.failed} tone="bad">
      <p>{faults[0]?.message}</p>
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {m.states.retry}
        </Button>
      )}
    </State>
  )
}

interface NoRightsProps {
  /** The role that the page is for, where it is for one alone. */
  readonly needed?: string
}

/** The refusal of a view to a role: who is signed in, which role it takes, and the way to sign in as another. */
export function NoRights({ needed }: NoRightsProps) {
  const { m } = useTranslation()
  const state = useStore(session)
  const nameOf = (name: string) => m.roles[name] ?? name
  return (
    <State icon="lock" title={m.states.noRights}>
      {state.name === 'signed-in' && (
        <p>
          {m.session.signedInAs} <bdi>{state.who}</bdi> ({nameOf(state.role)}).{' '}
          {needed && m.states.roleNeeded(nameOf(needed))}
        </p>
      )}
      {!needed && <p>{m.states.noRightsText}</p>}
      <Button look="main" onClick={openSignIn}>
        {m.session.signInAsAnother}
      </Button>
    </State>
  )
}

/** The way in for a person who is not signed in; while that is under way, the same as what is loading. */
export function SignedOut() {
  const { m } = useTranslation()
  const state = useStore(session)
  if (state.name === 'signing-in')
    return state.isAway ? <State icon="refresh" title={m.session.waiting} /> : <Loading rows={6} />
  return (
    <State icon="person" title={m.session.needed}>
      <p>{m.session.neededText}</p>
      <Button look="main" onClick={openSignIn}>
        {m.session.signIn}
      </Button>
    </State>
  )
}

interface EmptyProps {
  readonly title?: string
  readonly children?: ReactNode
}

export function Empty({ title, children }: EmptyProps) {
  const { m } = useTranslation()
  return (
    <State icon="empty" title={title ?? m.states.empty}>
      {children}
    </State>
  )
}

/** A line above what is shown although part of it is away. */
export function Partial({ onRetry }: { readonly onRetry?: () => void }) {
  const { m } = useTranslation()
  return (
    <p className="notice notice-warn" role="status">
      <Icon name="alert" />
      <span>{m.states.partial}</span>
      {onRetry && (
        <Button look="quiet" onClick={onRetry}>
          {m.states.retry}
        </Button>
      )}
    </p>
  )
}

interface GraphViewProps<Data> {
  readonly result: {
    readonly data: Data | undefined
    readonly faults: readonly GraphFault[]
    readonly isLoading: boolean
    readonly isSignedIn: boolean
    reload(): void
  }
  readonly rows?: number
  /** Title where the graph knows no such thing. */
  readonly unknown?: string
  /** The view of the data; part of it may be missing, which is said above it. */
  readonly children: (data: Data) => ReactNode
}

/** The result of `useGraph` in whichever state it is. */
export function GraphView<Data>({ result, rows, unknown, children }: GraphViewProps<Data>) {
  const { data, faults, isLoading, isSignedIn, reload } = result
  if (!isSignedIn) return <SignedOut />
  if (isLoading && data === undefined) return <Loading {...(rows && { rows })} />
  const isThere = data !== undefined && Object.values(data as object).some(value => value !== null)
  if (unknown && !isThere && faults.some(isUnknown)) return <Empty title={unknown} />
  if (faults.length > 0 && !isThere) return <Failed faults={faults} onRetry={reload} />
  if (data === undefined) return <Empty />
  return (
    <>
      {faults.length > 0 && <Partial onRetry={reload} />}
      {children(data)}
    </>
  )
}
