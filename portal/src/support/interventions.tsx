/** Interventions in a transaction: those that were made, with who made them, and those that a portal may make now. */
import { type FormEvent, useState } from 'react'
import { useAct } from '../graph/use-act.ts'
import { useGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Panel } from '../kit/panel.tsx'
import { useStore } from '../kit/store.ts'
import { session } from '../session/session.ts'
import { CurlButton, Refusal } from './parts.tsx'
import { ActsDocument, CancelDocument, ReverseDocument } from './support.generated.ts'

type InterventionAction = 'CANCEL' | 'REVERSE'

interface Intervention {
  readonly action: InterventionAction
  readonly reason: string
  readonly requestedAt: string
  readonly carriedOutAt: string | null
  readonly refusal: string | null
  readonly by: { readonly id: string; readonly name: string }
}

interface Intervened {
  readonly id: string
  readonly kind: string
  readonly outcome: string
  /** Not for partners. */
  readonly interventions?: readonly Intervention[] | null | undefined
}

/** Kinds that each action is for, and the outcome that it begins from (docs/decisions.md, "Life of a transaction"). */
const ACTIONS: Record<InterventionAction, { readonly kinds: readonly string[]; readonly from: string }> = {
  CANCEL: { kinds: ['PAYMENT', 'REWARD', 'REDEMPTION'], from: 'PENDING' },
  REVERSE: { kinds: ['REWARD', 'REDEMPTION'], from: 'COMPLETED' },
}

/** The action that a transaction is open to. */
export const openAction = ({
  kind,
  outcome,
}: Pick<Intervened, 'kind' | 'outcome'>): InterventionAction | undefined =>
  (Object.keys(ACTIONS) as InterventionAction[]).find(
    action => ACTIONS[action].from === outcome && ACTIONS[action].kinds.includes(kind),
  )

const DOCUMENTS = { CANCEL: CancelDocument, REVERSE: ReverseDocument } as const

interface IntervenedProps {
  readonly transaction: Intervened
  /** Called when something was done. */
  readonly onDone: () => void
}

interface ActionDialogProps extends IntervenedProps {
  readonly action: InterventionAction
  readonly onClose: () => void
}

/** A dialog that asks why, since the partner is told; a refusal is shown in it. */
function ActionDialog({ transaction, action, onDone, onClose }: ActionDialogProps) {
  const { m } = useTranslation()
  const [reason, setReason] = useState('')
  const { run, isBusy, faults } = useAct<unknown, { id: string; reason: string }>(DOCUMENTS[action])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isDone = (await run({ id: transaction.id, reason: reason.trim() })) !== undefined
    if (isDone) onClose()
    onDone()
  }
  return (
    <Dialog title={m.support.interventions[action].title} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{m.support.interventions[action].text}</p>
        <label className="field">
          <span>{m.support.why}</span>
          <input
            className="input"
            required
            maxLength={256}
            dir="auto"
            value={reason}
            onChange={event => setReason(event.target.value)}
          />
        </label>
        <Refusal faults={faults} />
        <div className="row">
          <Button type="submit" look="main" disabled={isBusy}>
            {m.support.interventions[action].confirm}
          </Button>
          <CurlButton query={{ document: DOCUMENTS[action], variables: { id: transaction.id, reason } }} />
        </div>
      </form>
    </Dialog>
  )
}

export default function Interventions({ transaction, onDone }: IntervenedProps) {
  const { m, f } = useTranslation()
  const state = useStore(session)
  const isPortal = state.name === 'signed-in' && state.role === 'portal'
  const made = transaction.interventions ?? []
  const action = isPortal ? openAction(transaction) : undefined
  // The page is read again meanwhile: what a person has begun stays what it was, until it is done or closed.
  const [begun, setBegun] = useState<InterventionAction>()
  const acts = useGraph(
    ActsDocument,
    { filter: { target: transaction.id } },
    { isOn: isPortal && made.length > 0 },
  )
  if (made.length === 0 && !action && !begun) return null
  const personOf = ({ action: done }: Intervention) =>
    acts.data?.auditLog?.nodes.find(one => one.action.endsWith(done === 'CANCEL' ? 'CANCELLED' : 'REVERSED'))
      ?.user
  return (
    <Panel title={m.support.interventionsTitle} {...(made.length > 0 && isPortal && { query: acts.query })}>
      <ul className="deliveries">
        {made.map(one => (
          <li key={one.action}>
            <p className="row">
              <Badge tone={one.refusal ? 'bad' : 'warn'}>{m.support.interventions[one.action].done}</Badge>
              <span>
                <bdi>{one.by.name}</bdi>
                {personOf(one) && <bdi className="muted"> ({personOf(one)})</bdi>}
              </span>
              <time dateTime={one.requestedAt} className="muted">
                {f.dateTime(one.requestedAt)}
              </time>
            </p>
            <p>
              <bdi>{one.reason}</bdi>
            </p>
            {one.refusal ? (
              <p className="delivery-error">{one.refusal}</p>
            ) : (
              one.carriedOutAt === null && <p className="muted small">{m.support.awaitsCharging}</p>
            )}
          </li>
        ))}
        {action && (
          <li>
            <p className="row row-between">
              <span className="muted">{m.support.interventions[action].hint}</span>
              <Button look="danger" onClick={() => setBegun(action)}>
                {m.support.interventions[action].button}
              </Button>
            </p>
          </li>
        )}
      </ul>
      {begun && (
        <ActionDialog
          transaction={transaction}
          action={begun}
          onDone={onDone}
          onClose={() => setBegun(undefined)}
        />
      )}
    </Panel>
  )
}
