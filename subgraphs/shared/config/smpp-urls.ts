/** The setting `SMPP_URL`: `smpp://system_id:password@host:port?window=10`, comma-separated; it is never repeated, for its passwords. */

/** One connection to a message centre, and how it is used. */
export interface SmppBind {
  /** `host:port`, by which log lines, metrics and kept message ids name the message centre. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly systemId: string
  readonly password: string
  readonly systemType: string
  /** How many requests may wait for their responses at once. */
  readonly window: number
  /** The most messages a second; 0 for no limit but the message centre's own. */
  readonly rate: number
  /** How long a response may take. */
  readonly timeoutMs: number
  /** After so much silence the other side is asked whether it is there. */
  readonly enquireMs: number
  /** Whether delivery receipts are asked for; without them a message counts as sent once it is taken. */
  readonly receipts: boolean
}

const DEFAULT_PORTS: Record<string, number> = { 'smpp:': 2775, 'smpps:': 3550 }

/** What SMPP 3.4 has room for (5.2.1, 5.2.2, 5.2.3), without the octet that ends each. */
const LENGTHS = { system_id: 15, password: 8, system_type: 12 }

interface Limits {
  readonly fallback: number
  readonly min: number
  readonly max: number
}

const OPTIONS: Readonly<Record<'window' | 'rate' | 'timeout' | 'enquire' | 'receipts', Limits>> = {
  window: { fallback: 10, min: 1, max: 1_000 },
  rate: { fallback: 0, min: 0, max: 100_000 },
  timeout: { fallback: 10, min: 1, max: 600 },
  enquire: { fallback: 30, min: 1, max: 3_600 },
  receipts: { fallback: 1, min: 0, max: 1 },
}

const isOption = (name: string): name is keyof typeof OPTIONS => name in OPTIONS

const optionOf = ({ searchParams }: URL, name: keyof typeof OPTIONS): number =>
  Number(searchParams.get(name) ?? OPTIONS[name].fallback)

const faultOfOption = ([name, text]: [string, string]): string[] => {
  if (name === 'system_type') return []
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

/** What is wrong with the addresses, each by its place, without any of their texts that could be secret. */
export const faultsOfSmppUrls = (entries: readonly string[]): string[] =>
  entries.flatMap((entry, index) => {
    const faults = URL.canParse(entry)
      ? faultsOfUrl(new URL(entry))
      : ['it must be smpp://system_id:password@host:port']
    return faults.map(fault => `SMPP_URL, address ${index + 1}: ${fault}`)
  })

const bindOf = (url: URL): SmppBind => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || DEFAULT_PORTS[url.protocol])
  return {
    name: `${host}:${port}`,
    host,
    port,
    tls: url.protocol === 'smpps:',
    systemId: decoded(url.username)!,
    password: decoded(url.password)!,
    systemType: url.searchParams.get('system_type') ?? '',
    window: optionOf(url, 'window'),
    rate: optionOf(url, 'rate'),
    timeoutMs: optionOf(url, 'timeout') * 1_000,
    enquireMs: optionOf(url, 'enquire') * 1_000,
    receipts: optionOf(url, 'receipts') === 1,
  }
}

/** Reads addresses that have no faults. */
export const readSmppUrls = (entries: readonly string[]): SmppBind[] =>
  entries.map(entry => bindOf(new URL(entry)))
