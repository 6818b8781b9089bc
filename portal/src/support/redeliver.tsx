/** Buttons that send webhooks again: one, or all that were given up. */
import { useState } from 'react'
import type { GraphFault } from '../graph/errors.ts'
import { useAct } from '../graph/use-act.ts'
import { sendToGraph } from '../graph/use-graph.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Icon } from '../kit/icon.tsx'
import { CurlButton, Refusal } from './parts.tsx'
import { RedeliverManyDocument, RedeliverOneDocument } from './support.generated.ts'

interface RowProps {
  readonly delivery: { readonly id: string; readonly status: string }
  readonly mayAct: boolean
  readonly onSent: () => void
}

export function Redeliver({ delivery, mayAct, onSent }: RowProps) {
  const { m } = useTranslation()
  const { run, isBusy, faults } = useAct(RedeliverOneDocument)
  if (!mayAct || delivery.status === 'PENDING') return null
  return (
    <>
      <Button
        icon="refresh"
        disabled={isBusy}
        onClick={async () => (await run({ id: delivery.id })) && onSent()}
      >
        {m.support.redeliver}
      </Button>
      <Refusal faults={faults} />
    </>
  )
}

interface AllProps {
  readonly client: string | undefined
  readonly count: number
  readonly onSent: (count: number) => void
}

/** A number of deliveries that were sent again: those that fail once more stand where they stood, as if nothing had been done. */
export interface SentAgain {
  readonly count: number
  readonly at: string
}

export function SentAgainNotice({ sent }: { readonly sent: SentAgain | undefined }) {
  const { m, f } = useTranslation()
  return (
    <div role="status">
      {sent && (
        <p className="notice">
          <Icon name="check" />
          <span>{m.support.sentAgain(sent.count, f.seconds(sent.at))}</span>
        </p>
      )}
    </div>
  )
}

/** Sends all that are dead again, a part with each call, after the person has confirmed how many. */
export function RedeliverAll({ client, count, onSent }: AllProps) {
  const { m } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [sent, setSent] = useState<number>()
  const [faults, setFaults] = useState<readonly GraphFault[]>([])
  const filter = { ...(client && { partner: client }) }
  const run = async () => {
    // Deliveries that were sent again are later than this, so that the calls come to an end.
    const lastAttemptUntil = new Date(Date.now() - 1_000).toISOString()
    setFaults([])
    let total = 0
    for (;;) {
      setSent(total)
      const answer = await sendToGraph(RedeliverManyDocument, { filter: { ...filter, lastAttemptUntil } })
      setFaults(answer.faults)
      const more = answer.data?.redeliverWebhooks ?? 0
      total += more
      if (more === 0) break
    }
    setSent(undefined)
    onSent(total)
    if (total > 0) setOpen(false)
  }
  return (
    <>
      <Button icon="refresh" onClick={() => setOpen(true)}>
        {m.support.redeliverAll}
      </Button>
      <Dialog title={m.support.redeliverAll} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{m.support.redeliverAllText(count)}</p>
        <Refusal faults={faults} />
        <div className="row">
          <Button look="main" disabled={sent !== undefined} onClick={run}>
            {sent === undefined ? m.support.redeliverCount(count) : m.support.redelivered(sent)}
          </Button>
          <CurlButton query={{ document: RedeliverManyDocument, variables: { filter } }} />
        </div>
      </Dialog>
    </>
  )
}
