/** Tools for a receiver of webhooks: a test event, and a new signing secret. */
import { type FormEvent, useState } from 'react'
import { useAct } from '../graph/use-act.ts'
import { useTranslation } from '../i18n/i18n.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { useCopy } from '../kit/copy.ts'
import { Panel } from '../kit/panel.tsx'
import { CurlButton, GuideLink, HttpStatus, Refusal } from './parts.tsx'
import {
  RotateSecretDocument,
  type RotateSecretMutation,
  SendTestDocument,
  type SendTestMutation,
  type TransactionKind,
} from './support.generated.ts'

/** Kinds of transaction that call webhooks. */
const KINDS: readonly TransactionKind[] = ['PAYMENT', 'RECHARGE', 'REWARD', 'REDEMPTION']

interface ToolProps {
  /** The partner; undefined for the one that is signed in. */
  readonly client: string | undefined
}

type Attempt = NonNullable<SendTestMutation['sendTestEvent']>

function TestResult({ attempt }: { readonly attempt: Attempt }) {
  const { m, f } = useTranslation()
  const isWell = attempt.error === null
  return (
    <div className="result">
      <p className="row">
        <Badge tone={isWell ? 'good' : 'bad'}>{isWell ? m.support.testArrived : m.support.testFailed}</Badge>
        <HttpStatus status={attempt.status} />
        <span className="muted number">{f.duration(attempt.durationMs)}</span>
      </p>
      {attempt.error && <code className="ltr break attempt-error">{attempt.error}</code>}
    </div>
  )
}

export function TestEventPanel({ client }: ToolProps) {
  const { m } = useTranslation()
  const { run, isBusy, faults } = useAct(SendTestDocument)
  const [attempt, setAttempt] = useState<Attempt>()
  const [kind, setKind] = useState<TransactionKind>('PAYMENT')
  const [url, setUrl] = useState('')
  const partner = client ?? null
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAttempt(undefined)
    const token = String(new FormData(event.currentTarget).get('token')) || null
    const data = await run({ url, kind, token, partner })
    if (data?.sendTestEvent) setAttempt(data.sendTestEvent)
  }
  return (
    <Panel
      title={m.support.testEvent}
      aside={<CurlButton query={{ document: SendTestDocument, variables: { url, kind, partner } }} />}
    >
      <form className="panel-body stack" onSubmit={submit}>
        <p className="muted">{m.support.testEventText}</p>
        <label className="field">
          <span>{m.support.notificationUrl}</span>
          <input
            className="input ltr"
            type="url"
            required
            maxLength={2048}
            placeholder="https://partner.example/hooks"
            value={url}
            onChange={event => setUrl(event.target.value)}
          />
        </label>
        <div className="row fields">
          <label className="field">
            <span>{m.explore.kind}</span>
            <select
              className="input"
              value={kind}
              onChange={event => setKind(event.target.value as TransactionKind)}
            >
              {KINDS.map(one => (
                <option key={one} value={one}>
                  {m.kinds[one]}
                </option>
              ))}
            </select>
          </label>
          <label className="field field-grow">
            <span>{m.support.callbackToken}</span>
            <input className="input ltr" name="token" type="password" autoComplete="off" maxLength={2048} />
          </label>
        </div>
        <div className="row">
          <Button type="submit" look="main" disabled={isBusy}>
            {isBusy ? m.support.sending : m.support.sendTest}
          </Button>
        </div>
        <div role="status">{attempt && <TestResult attempt={attempt} />}</div>
        <Refusal faults={faults} />
      </form>
    </Panel>
  )
}

const HOURS = ['24', '168', '0'] as const

type Rotated = NonNullable<RotateSecretMutation['rotateWebhookSecret']>

function NewSecret({ rotated }: { readonly rotated: Rotated }) {
  const { m, f } = useTranslation()
  const { isCopied, copy } = useCopy()
  return (
    <div className="result">
      <p>{m.support.secretOnce}</p>
      <p className="row">
        <code className="ltr break secret">{rotated.secret}</code>
        <Button icon={isCopied ? 'check' : 'copy'} onClick={() => copy(rotated.secret)}>
          {isCopied ? m.actions.copied : m.actions.copy}
        </Button>
      </p>
      {rotated.previousEndsAt && (
        <p className="muted">{m.support.previousEnds(f.dateTime(rotated.previousEndsAt))}</p>
      )}
    </div>
  )
}

export function SecretPanel({ client }: ToolProps) {
  const { m } = useTranslation()
  const { run, isBusy, faults } = useAct(RotateSecretDocument)
  const [rotated, setRotated] = useState<Rotated>()
  const [hours, setHours] = useState<string>(HOURS[0])
  const variables = { hours: Number(hours), partner: client ?? null }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const data = await run(variables)
    if (data?.rotateWebhookSecret) setRotated(data.rotateWebhookSecret)
  }
  return (
    <Panel
      title={m.support.secret}
      aside={<CurlButton query={{ document: RotateSecretDocument, variables }} />}
    >
      <form className="panel-body stack" onSubmit={submit}>
        <p className="muted">
          {m.support.secretText}{' '}
          <GuideLink to="/docs/webhooks" anchor="verifying-the-signature">
            {m.support.howToVerify}
          </GuideLink>
        </p>
        <label className="field">
          <span>{m.support.overlap}</span>
          <select className="input" value={hours} onChange={event => setHours(event.target.value)}>
            {HOURS.map(one => (
              <option key={one} value={one}>
                {m.support.overlaps[one]}
              </option>
            ))}
          </select>
        </label>
        <div className="row">
          <Button type="submit" look={hours === '0' ? 'danger' : 'plain'} disabled={isBusy}>
            {m.support.rotate}
          </Button>
        </div>
        <div role="status">{rotated && <NewSecret rotated={rotated} />}</div>
        <Refusal faults={faults} />
      </form>
    </Panel>
  )
}
