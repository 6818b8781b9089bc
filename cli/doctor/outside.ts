/** Checks of a running server from outside, over HTTP: whether it lives and serves, its tokens, graph, metrics and clock. */
import { isObject } from '#core/values/json.ts'
import { checkWithin, type Finding, found } from './finding.ts'
import { metricFindings } from './metrics.ts'
import { readinessFindings } from './readiness.ts'
import { type Answer, type Ask, askAt, jsonOf } from './request.ts'

/** A client whose token the graph is asked with. */
export interface ClientSecret {
  readonly clientId: string
  readonly secret: string
}

/** Server that is checked, and what is known of it. */
export interface Target {
  readonly url: URL
  /** Limit of each check, in milliseconds. */
  readonly limitMs: number
  readonly credentials?: ClientSecret
  readonly metricsToken?: string
  /** Whether tokens are an outside identity provider's, so that the server gives none. */
  readonly hasOutsideIssuer: boolean
  /** Whether lags are taken from the metrics, since the database cannot be read from here. */
  readonly readsLags: boolean
}

const ms = ({ ms }: Answer) => `${Math.round(ms)} ms`

/** Difference of clocks that matters to nobody: a `Date` header has whole seconds. */
const CLOCK_TOLERANCE_S = 2
/** Receivers refuse webhooks whose signatures are older (Standard Webhooks). */
const CLOCK_LIMIT_S = 300

/** Finding about a difference of clocks. @param seconds how far the other clock is ahead of this machine's. */
export function clockFinding(check: string, whose: string, seconds: number): Finding {
  const size = Math.round(Math.abs(seconds) * 10) / 10
  if (size <= CLOCK_TOLERANCE_S) return found.well(check, `${whose} and this machine's agree.`)
  const text = `${whose} is ${size} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's, so that tokens, signatures and retries are early or late: let both take their time from NTP.`
  return size > CLOCK_LIMIT_S ? found.broken(check, text) : found.degraded(check, text)
}

/** A `Date` header is the second that had begun. */
const serverClock = ({ headers, middle }: Answer): Finding[] => {
  const told = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(told)
    ? []
    : [clockFinding('server clock', "The server's clock", (told + 500 - middle) / 1_000)]
}

const LIVE = 'server'

const checkLive = async (ask: Ask, { url }: Target): Promise<readonly Finding[]> => {
  const where = url.href.replace(/\/$/, '')
  const answer = await ask('/health/live').catch((error: Error) => error)
  if (answer instanceof Error)
    return [
      found.broken(
        LIVE,
        `Nothing answers at ${where} (${answer.message}): start the server with npm start, or name its address with --url.`,
      ),
    ]
  const body = jsonOf(answer)
  if (answer.status !== 200 || !isObject(body) || body['status'] !== 'live')
    return [
      found.broken(
        LIVE,
        `What answers at ${where} is not this program (${answer.status} at /health/live): name its address with --url.`,
      ),
    ]
  return [found.well(LIVE, `It lives at ${where}, and answers in ${ms(answer)}.`), ...serverClock(answer)]
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TOKENS = 'tokens'

const basic = ({ clientId, secret }: ClientSecret) =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString('base64')}`

/** Asks without credentials too: the refusal shows that the endpoint works, and counts as no wrong secret. */
const requestToken = (ask: Ask, { credentials }: Target) =>
  ask('/oauth2/accesstoken', {
    method: 'POST',
    headers: { ...FORM, ...(credentials && { authorization: basic(credentials) }) },
    body: 'grant_type=client_credentials',
  })

interface TokenCheck {
  readonly findings: readonly Finding[]
  readonly token?: string
}

const checkTokens = async (ask: Ask, target: Target): Promise<TokenCheck> => {
  const { credentials, hasOutsideIssuer } = target
  if (hasOutsideIssuer)
    return {
      findings: [
        found.unchecked(TOKENS, "Tokens are the identity provider's (AUTH_ISSUER), not this server's."),
      ],
    }
  const answer = await requestToken(ask, target)
  const body = jsonOf(answer)
  const told = isObject(body) ? body : {}
  const token = told['access_token']
  if (typeof token === 'string')
    return {
      token,
      findings: [
        found.well(TOKENS, `The token endpoint gave ${credentials?.clientId} a token in ${ms(answer)}.`),
      ],
    }
  if (answer.status === 401 && told['error'] === 'invalid_client' && !credentials)
    return {
      findings: [
        found.well(
          TOKENS,
          `The token endpoint answers in ${ms(answer)}; with --client and --secret-file it is asked for a token.`,
        ),
      ],
    }
  const why = typeof told['error'] === 'string' ? told['error'] : 'no error that OAuth knows'
  const text = credentials
    ? `The token endpoint refused ${credentials.clientId} (${answer.status}, ${why}): see whether the client is enabled, with npm run cli -- clients show ${credentials.clientId}, and its secret right.`
    : `The token endpoint answers ${answer.status} with ${why}, so that no client can sign in: see the server's log.`
  return { findings: [found.broken(TOKENS, text)] }
}

const GRAPH = 'graph'

const codeOf = (body: unknown): unknown => {
  const [error] = isObject(body) && Array.isArray(body['errors']) ? body['errors'] : []
  return isObject(error) && isObject(error['extensions']) ? error['extensions']['code'] : undefined
}

const checkGraph = async (ask: Ask, token: string | undefined): Promise<readonly Finding[]> => {
  const answer = await ask('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query: 'query Doctor { me { id } }' }),
  })
  const body = jsonOf(answer)
  if (token === undefined && answer.status === 401)
    return [found.well(GRAPH, `The graph answers in ${ms(answer)}, and refuses who has no token.`)]
  const data = isObject(body) ? body['data'] : undefined
  if (isObject(data) && isObject(data['me']))
    return [found.well(GRAPH, `The graph answers an operation in ${ms(answer)}.`)]
  if (answer.status === 404)
    return [
      found.unchecked(
        GRAPH,
        'There is no graph at /graphql: the server is a service alone, or a proxy hides it.',
      ),
    ]
  const code = codeOf(body)
  return [
    found.broken(
      GRAPH,
      `The graph answers ${answer.status}${code === undefined ? '' : ` ${code}`}, so that portals read nothing: see the server's log at this moment.`,
    ),
  ]
}

const METRICS = 'metrics'

const checkMetrics = async (ask: Ask, { metricsToken, readsLags }: Target): Promise<readonly Finding[]> => {
  const answer = await ask('/metrics', {
    headers: metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` },
  })
  if (answer.status === 401 || answer.status === 404)
    return [
      found.unchecked(
        METRICS,
        'Metrics are not shown to this address: run the doctor in the network of the server, or set METRICS_TOKEN as the server has it.',
      ),
    ]
  if (answer.status !== 200)
    return [
      found.degraded(
        METRICS,
        `Metrics are answered ${answer.status}, so that nobody on duty is alerted: see the server's log.`,
      ),
    ]
  return [
    found.well(METRICS, `Metrics are served in ${ms(answer)}.`),
    ...(readsLags ? metricFindings(answer.text) : []),
  ]
}

/** Checks a server. Where nothing answers, that is the one finding. */
export async function checkOutside(target: Target): Promise<readonly Finding[]> {
  const { limitMs } = target
  const ask = askAt(target.url, limitMs)
  const check = (name: string, run: () => Promise<readonly Finding[]>) =>
    checkWithin(name, limitMs + 1_000, run)
  const live = await check(LIVE, () => checkLive(ask, target))
  if (live[0]?.status !== 'well') return live
  const withToken = async () => {
    let token: string | undefined
    const tokens = await check(TOKENS, async () => {
      const checked = await checkTokens(ask, target)
      token = checked.token
      return checked.findings
    })
    return [...tokens, ...(await check(GRAPH, () => checkGraph(ask, token)))]
  }
  const rest = await Promise.all([
    check('readiness', async () => readinessFindings(await ask('/health/ready'))),
    withToken(),
    check(METRICS, () => checkMetrics(ask, target)),
  ])
  return [...live, ...rest.flat()]
}
