/**
 * The declaration of every setting. The reader takes defaults and bounds from here, and docs/settings.md is written from it
 * (`npm run docs:pages`).
 */
import { CHARGING_SETTINGS, SMS_SETTINGS } from './connector-settings.ts'
import { GRAPH_SETTINGS } from './graph-settings.ts'
import { choice, type Declarations, type EnvReader, flag, integer, secret, text } from './setting.ts'
import { TRACE_SETTINGS } from './trace-settings.ts'

const server = {
  PORT: {
    ...integer(4_000, [0, 65_535], 'The port to listen on; `0` picks a free port and prints it.'),
    otherwise: '4000; a service alone has its port of `subgraphs/names.ts`',
  },
  HOST: text('The address to listen on.', '127.0.0.1'),
  WORKERS: text(
    'Processes that serve at this address, `auto` for one a core; on PostgreSQL alone ([operating.md](operating.md#several-processes-at-one-address)). Limits of a process hold for each.',
    '1',
  ),
  REQUEST_TIMEOUT_MS: integer(
    10_000,
    [1, 600_000],
    'The longest that a request may take from its headers on, body and waiting included, in milliseconds. 504 after it says that nothing was written.',
  ),
  LISTEN_BACKLOG: integer(
    4_096,
    [1, 65_535],
    'Connections that wait to be accepted; the kernel allows no more than `net.core.somaxconn`.',
  ),
  MAX_IN_FLIGHT: integer(
    1_000,
    [1, 1_000_000],
    'Requests served at once, shared fairly by client; more are refused with 503.',
  ),
  TRUST_PROXY: text(
    'The proxies whose `X-Forwarded-For` is believed: their number before the server, or their addresses and ranges, comma-separated.',
  ),
  TLS_CERT: text(
    "The PEM file of the server's certificate and its chain: with it the server speaks HTTPS, with HTTP/2 and HTTP/1.1 ([operating.md](operating.md#tls-and-proxies)). Read again when it changes.",
    undefined,
    'unset: plain HTTP',
  ),
  TLS_KEY: text('The PEM file of its private key, without a passphrase. Set together with `TLS_CERT`.'),
  CLIENT_CERTIFICATES: choice(
    ['none', 'tls', 'proxy'],
    'Where clients of the token endpoint may show certificates ([operating.md](operating.md#certificates-of-clients)): `tls` on connections of `TLS_CERT`, `proxy` in the header `Client-Cert` of the proxies in `TRUST_PROXY`, which must be given by addresses.',
  ),
  CORS_ORIGINS: text(
    'Origins whose pages may call, comma-separated (`https://portal.example`); `*` for the port means any port, `*` alone any origin.',
    undefined,
    'with demo data `http://localhost:*,http://127.0.0.1:*`',
  ),
  PAGES: flag(true, '0: no pages for browsers ([pages.md](pages.md)).'),
  METRICS_TOKEN: secret(
    'The bearer token that reads `/metrics` from other than loopback and private addresses.',
  ),
  LOG_LEVEL: choice(
    ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'],
    'The least severe log lines that are written: JSON lines on standard output, readable text on a terminal. `SIGHUP` changes it while the process runs ([operating.md](operating.md#log)).',
  ),
  LOG_NUMBERS: flag(
    false,
    '1: phone and account numbers stand whole in log lines, instead of by their last three digits. Cards and secrets never do.',
  ),
} as const

const database = {
  DATABASE_URL: secret(
    'The address of PostgreSQL 15 or later, `postgresql://…`; of several hosts `postgresql://user@h1:5432,h2:5432/db?target_session_attrs=read-write` ([operating.md](operating.md#failover)).',
    'unset: the embedded database',
  ),
  DATABASE_DIRECT_URL: secret(
    'The address of PostgreSQL itself where `DATABASE_URL` leads through a pooler ([operating.md](operating.md#a-pooler)): for `LISTEN`, migrations and the locks of processes.',
    '`DATABASE_URL`',
  ),
  DATABASE_REPLICA_URL: secret(
    'The address of a streaming standby, or several hosts, that reads are done by once it has replayed all that was acknowledged ([operating.md](operating.md#a-read-replica)).',
  ),
  DATABASE_POOL_SIZE: integer(
    16,
    [2, 1_000],
    'Connections to PostgreSQL that a process may hold, and two more: for `LISTEN`, and for stored answers.',
  ),
  DATA_DIR: text("The embedded database's folder; `memory:` keeps nothing.", '.data'),
  DEMO: {
    kind: 'flag',
    otherwise: '1 embedded on a loopback `HOST`, else 0',
    meaning:
      'Puts demo clients, directory and history into an empty database. Their secrets are public, so only where `HOST` is loopback.',
  },
  SECRETS_KEY: secret(
    '32 bytes in base64. Encrypts callback tokens and the signing key.',
    'embedded: made and kept in `DATA_DIR`; required on PostgreSQL',
  ),
  SECRETS_KEY_ALSO: secret(
    'Further keys, comma-separated, that decrypt what was encrypted with them, while `SECRETS_KEY` is being changed ([operating.md](operating.md#keys)).',
  ),
  READ_ONLY: flag(
    false,
    '1 for a process that only reads, on a read replica or beside one that writes: it answers queries and subscriptions, refuses every change with 503 whatever the database would allow, and leaves all background work to others.',
  ),
  OUTBOUND: flag(
    true,
    '0: nothing leaves the server (webhooks, test events, charging calls, SMS), for drills and restored copies. What is posted is answered as ever, and what waits keeps waiting.',
  ),
  ACCESS_LOG_DAYS: integer(
    400,
    [1, 36_500],
    'Days that records of who looked at which customer or subscriber are kept ([operating.md](operating.md#who-looked-at-whom)).',
  ),
  EVENT_RETENTION_DAYS: integer(
    400,
    [1, 36_500],
    'Days that events and webhook deliveries are kept, and that subscriptions can be resumed from.',
  ),
  STORED_ANSWERS_MIB: integer(
    32,
    [0, 65_536],
    'Memory of each process for answers that are given again as long as nothing they show has changed, in MiB; 0 keeps none ([operating.md](operating.md#stored-answers)).',
  ),
  REQUEST_LOG_DAYS: integer(30, [0, 3_650], 'Days that requests are kept in the request log; 0 keeps none.'),
} as const

const operator = {
  OPERATOR_TIMEZONE: text(
    "The operator's calendar, an IANA time zone; for the life of an installation.",
    'Asia/Muscat',
  ),
  OPERATOR_COUNTRY_CODE: text(
    'The country code of national numbers; for the life of an installation.',
    '968',
  ),
  CARD_TEXTS: choice(
    ['keep', 'refuse'],
    '`refuse` answers 400 to a free text that looks as if it held a card number. Kept ones are counted (`card_like_texts_total`) and warned of by their path.',
  ),
} as const

const access = {
  TOKEN_LIFETIME_SECONDS: integer(3_600, [1, 86_400], 'Seconds that an access token is valid.'),
  TOKEN_ENDPOINT: text(
    'The addresses of `/oauth2/accesstoken` as clients know it, comma-separated: what assertions of clients may name as `aud` beside `partner-graph` ([operating.md](operating.md#keys-of-clients)).',
    undefined,
    'on the same machine, the address that is asked',
  ),
  AUTH_ISSUER: text(
    'The outside identity provider, in place of the token endpoint; several comma-separated, the first of which the pages sign in at. Set together with the two below.',
    'partner-graph',
    'built-in',
  ),
  AUTH_AUDIENCE: text(
    "The audience that the provider's tokens must name; of several, comma-separated, one.",
    'partner-graph',
    'built-in',
  ),
  AUTH_JWKS_URL: text(
    "The address of the provider's public keys; of several providers in the order of `AUTH_ISSUER`.",
    undefined,
    'built-in',
  ),
  AUTH_ROLE_CLAIM: text(
    "The claim of the provider's tokens that names the role, or a path with dots: `realm_access.roles`, `roles`, `scope` ([operating.md](operating.md#identity)).",
    'role',
  ),
  AUTH_ROLE_MAP: text(
    "Meaning of the provider's words, comma-separated: `portal-users:portal,kiosks:partner`. Where it is set, no other words count.",
    undefined,
    'the words are the roles',
  ),
  AUTH_CLIENT_ID: text(
    "The pages' own client at the provider, a public one with PKCE: people sign in there ([pages.md](pages.md#signing-in)).",
  ),
  AUTH_SCOPE: text(
    'The scopes that the pages ask the provider for; with `offline_access` a token is renewed by a refresh token.',
    'openid',
  ),
  UNREGISTERED_CLIENTS: choice(
    ['limit', 'refuse'],
    'Clients that only an outside issuer knows: `limit` lets them post little, `refuse` lets in registered ones alone.',
  ),
} as const

const webhooks = {
  WEBHOOK_ALLOW: text(
    'Hosts or CIDRs to which webhooks may go although private or http, comma-separated. With a port (`10.0.0.0/8:443`, `[::1]:9000`) they are open at that port alone, without one at all ports but those of data stores, of the installation itself and the like ([webhooks.md](webhooks.md)).',
  ),
} as const

/** The settings under the headings of docs/settings.md. */
export const SETTINGS_BY_SECTION = {
  Server: server,
  Database: database,
  Operator: operator,
  'Tokens and clients': access,
  Graph: GRAPH_SETTINGS,
  Webhooks: webhooks,
  'Charging system': CHARGING_SETTINGS,
  SMS: SMS_SETTINGS,
  Traces: TRACE_SETTINGS,
} as const satisfies Record<string, Declarations>

/** All settings by name. */
export const SETTINGS = {
  ...server,
  ...database,
  ...operator,
  ...access,
  ...GRAPH_SETTINGS,
  ...webhooks,
  ...CHARGING_SETTINGS,
  ...SMS_SETTINGS,
  ...TRACE_SETTINGS,
} as const satisfies Declarations

/** The reader of these settings. */
export type SettingsReader = EnvReader<typeof SETTINGS>
