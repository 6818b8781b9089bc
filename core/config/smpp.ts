/** The settings of SMS: whether they go to a message centre, and by which binds. */
import type { SettingsReader } from './settings.ts'
import { faultsOfSmppUrls, readSmppUrls, type SmppBind } from './smpp-urls.ts'

/** How messages go to message centres. */
export interface SmppSettings {
  readonly binds: readonly SmppBind[]
  /** After which a part whose response never came is sent again, in milliseconds. */
  readonly resendMs: number
  /** How long after a message's time its receipts may come, in milliseconds. */
  readonly marginMs: number
}

const readBinds = (read: SettingsReader): SmppBind[] => {
  const entries = (read.optional('SMPP_URL') ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
  if (entries.length === 0) read.faults.push('SMPP_URL must be set when SMS is smpp')
  const faults = faultsOfSmppUrls(entries)
  read.faults.push(...faults)
  return faults.length > 0 ? [] : readSmppUrls(entries)
}

/** Undefined where messages go nowhere, and the embedded ledger says that they were sent. */
export function readSms(read: SettingsReader): SmppSettings | undefined {
  const system = read.text('SMS')
  const resendSeconds = read.integer('SMPP_RESEND_SECONDS')
  const marginSeconds = read.integer('SMPP_RECEIPT_MARGIN_SECONDS')
  if (system !== 'smpp') return undefined
  const binds = readBinds(read)
  const longest = Math.max(0, ...binds.map(({ timeoutMs }) => timeoutMs / 1_000))
  read.expect(
    resendSeconds >= longest,
    'SMPP_RESEND_SECONDS',
    `at least the longest timeout of SMPP_URL, ${longest}, since until then a response may come`,
  )
  return { binds, resendMs: resendSeconds * 1_000, marginMs: marginSeconds * 1_000 }
}
