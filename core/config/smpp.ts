/** Settings of SMS: `SMS`, and `SMPP_URL` (`smpp://system_id:password@host:port?window=10`, comma-separated), which holds passwords and is never logged. */
import type { SettingsReader } from './settings.ts'

/**
 * Form of message ids in receipts: the same text as in the response, or the same number in the other form (the response's
 * first). With `any` the program finds out.
 */
export type IdForm = 'any' | 'text' | 'decimal-hex' | 'hex-decimal'

/** One connection to a message centre, with its limits. */
export interface SmppBind {
  /** `host:port`, by which log lines and metrics name the bind. */
  readonly name: string
  /** Name of the message centre; binds of one name share message ids and receipts. */
  readonly centre: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly systemId: string
  readonly password: string
  readonly systemType: string
  /** Most requests that wait for their responses at once. */
  readonly window: number
  /** Most messages a second; 0 for no limit but the message centre's own. */
  readonly rate: number
  /** Longest wait for a response. */
  readonly timeoutMs: number
  /** Silence of the other side after which `enquire_link` is sent. */
  readonly enquireMs: number
  /** True to request delivery receipts; without them a message counts as sent once it is accepted. */
  readonly receipts: boolean
  readonly ids: IdForm
  /** True to ask the message centre (`query_sm`) about a message whose receipt never came. */
  readonly query: boolean
}

const DEFAULT_PORTS: Record<string, number> = { 'smpp:': 2775, 'smpps:': 3550 }

/** Longest values of SMPP 3.4 (5.2.1, 5.2.2, 5.2.3), without the octet that ends each. */
const LENGTHS = { system_id: 15, password: 8, system_type: 12 }

interface Limits {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

const OPTIONS: Readonly<Record<'window' | 'rate' | 'timeout' | 'enquire' | 'receipts' | 'query', Limits>> = {
  window: { fallback: 10, min: 1, max: 1_000 },
  rate: { fallback: 0, min: 0, max: 100_000 },
  timeout: { fallback: 10, min: 1, max: 600 },
  enquire: { fallback: 30, min: 1, max: 3_600 },
  receipts: { fallback: 1, min: 0, max: 1 },
  query: { fallback: 1, min: 0, max: 1 },
}

const ID_FORMS: readonly IdForm[] = ['any', 'text', 'decimal-hex', 'hex-decimal']

const isIdForm = (text: string): text is IdForm => ID_FORMS.some(form => form === text)

/** Name of a centre; without `@`, which is in names made of account and address. */
const CENTRE_NAME = /^[A-Za-z0-9._-]{1,64}$/

const isOption = (name: string): name is keyof typeof OPTIONS => name in OPTIONS

const optionOf = ({ searchParams }: URL, name: keyof typeof OPTIONS): number =>
  Number(searchParams.get(name) ?? OPTIONS[name].fallback)

const faultOfOption = ([name, text]: [string, string]): string[] => {
  if (name === 'system_type') return []
  if (name === 'ids') return isIdForm(text) ? [] : [`ids must be ${ID_FORMS.join(', ')}`]
  if (name === 'centre')
    return CENTRE_NAME.test(text)
      ? []
      : ['centre must be 1 to 64 letters, digits, dots, dashes or underscores']
  if (!isOption(name)) return [`there is no option ${JSON.stringify(name)}`]
  const { min, max } = OPTIONS[name]
  const holds = /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  return holds ? [] : [`${name} must be a whole number from ${min} to ${max}`]
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const faultOfText = (name: keyof typeof LENGTHS, text: string | undefined): string[] =>
  text !== undefined && text.length <= LENGTHS[name] && /^[\x20-\x7e]*$/.test(text)
    ? []
    : [`${name} must be at most ${LENGTHS[name]} characters of ASCII, percent-encoded where a URL needs it`]

const faultsOfUrl = (url: URL): string[] => [
  ...(url.protocol in DEFAULT_PORTS ? [] : ['it must begin with smpp:// or smpps://']),
  ...(url.hostname ? [] : ['it must name a host']),
  ...(url.username ? [] : ['it must name a system_id']),
  ...faultOfText('system_id', decoded(url.username)),
  ...faultOfText('password', decoded(url.password)),
  ...faultOfText('system_type', url.searchParams.get('system_type') ?? ''),
  ...[...url.searchParams].flatMap(faultOfOption),
]

/** Faults of the addresses, each by its position, without any text that could be secret. */
const faultsOfSmppUrls = (entries: readonly string[]): string[] =>
  entries.flatMap((entry, index) => {
    const faults = URL.canParse(entry)
      ? faultsOfUrl(new URL(entry))
      : ['it must be smpp://system_id:password@host:port']
    return faults.map(fault => `SMPP_URL, address ${index + 1}: ${fault}`)
  })

const bindOf = (url: URL): SmppBind => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || DEFAULT_PORTS[url.protocol])
  const name = `${host}:${port}`
  const systemId = decoded(url.username)!
  const ids = url.searchParams.get('ids') ?? 'any'
  return {
    name,
    centre: url.searchParams.get('centre') ?? `${systemId}@${name}`,
    host,
    port,
    tls: url.protocol === 'smpps:',
    systemId,
    password: decoded(url.password)!,
    systemType: url.searchParams.get('system_type') ?? '',
    window: optionOf(url, 'window'),
    rate: optionOf(url, 'rate'),
    timeoutMs: optionOf(url, 'timeout') * 1_000,
    enquireMs: optionOf(url, 'enquire') * 1_000,
    receipts: optionOf(url, 'receipts') === 1,
    ids: isIdForm(ids) ? ids : 'any',
    query: optionOf(url, 'query') === 1,
  }
}

/** Reads addresses that have no faults. */
export const readSmppUrls = (entries: readonly string[]): SmppBind[] =>
  entries.map(entry => bindOf(new URL(entry)))

/** Settings of message centres. */
export interface SmppSettings {
  readonly binds: readonly SmppBind[]
  /** Time after which a part without response is sent again, in milliseconds. */
  readonly resendMs: number
  /** Margin after a message's expiry within which its receipts may come, in milliseconds. */
  readonly marginMs: number
}

const readBinds = (read: SettingsReader): SmppBind[] => {
  const entries = read.list('SMPP_URL')
  if (entries.length === 0) read.faults.push('SMPP_URL must be set when SMS is smpp')
  const faults = faultsOfSmppUrls(entries)
  read.faults.push(...faults)
  return faults.length > 0 ? [] : readSmppUrls(entries)
}

/** Reads the settings of SMS; undefined where the embedded ledger settles messages without sending them. */
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
