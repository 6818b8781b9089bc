/**
 * The proxies of `ops/proxy/` as the machine has them, each with its file, in which only addresses, ports, paths and the
 * times of silence are replaced.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { issueCertificate } from '#test/support/certificates.ts'
import { freePort } from '#test/support/charging-simulator.ts'
import { findProgram } from '#test/support/programs.ts'
import { readText } from '#test/support/sources.ts'

/** Silence in seconds after which a proxy ends a stream: longer than the program's pings are apart. */
export const SILENCE_SECONDS = 17

/** Time in milliseconds in which a proxy must listen, and in which it must end. */
const PATIENCE_MS = 15_000

/** A place in which a proxy works. */
interface Place {
  readonly folder: string
  readonly port: number
  /** `127.0.0.1:<port>` of the program. */
  readonly upstream: string
  readonly certificate: string
  readonly key: string
}

/** Replacements in a file of `ops/proxy/`: each text before must stand in it. */
type Replacements = readonly (readonly [before: string, after: string])[]

interface Kind {
  readonly name: string
  /** Its file in `ops/proxy/`. */
  readonly file: string
  replacements(place: Place): Replacements
  args(file: string, place: Place): readonly string[]
  env?(place: Place): Record<string, string>
  /** File of the certificate that clients have to trust. */
  authority(place: Place): string
}

const SHORTENED = ['60s', `${SILENCE_SECONDS}s`] as const

const NGINX: Kind = {
  name: 'nginx',
  file: 'nginx.conf',
  replacements: ({ folder, port, upstream, certificate, key }) => [
    ['127.0.0.1:4000', upstream],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['/etc/partner-graph/tls.crt', certificate],
    ['/etc/partner-graph/tls.key', key],
    ['http {', ['http {', 'access_log off;', ...nginxFolders(folder)].join('\n')],
    SHORTENED,
  ],
  args: (file, { folder }) => [
    ...['-p', folder, '-c', file, '-e', 'stderr'],
    ...['-g', `daemon off; pid ${join(folder, 'nginx.pid')};`],
  ],
  authority: ({ certificate }) => certificate,
}

const nginxFolders = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${join(folder, name)};`)

const HAPROXY: Kind = {
  name: 'haproxy',
  file: 'haproxy.cfg',
  replacements: ({ folder, port, upstream }) => [
    ['server one 127.0.0.1:4000', `server one ${upstream}`],
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    ['/etc/partner-graph/tls.pem', join(folder, 'tls.pem')],
    SHORTENED,
  ],
  args: file => ['-db', '-f', file],
  authority: ({ certificate }) => certificate,
}

/** Caddy makes its certificate itself; it must not ask the machine to trust it. */
const CADDY_OPTIONS = `{
	admin off
	default_bind 127.0.0.1
	skip_install_trust
	auto_https disable_redirects
}
`

const CADDY: Kind = {
  name: 'caddy',
  file: 'Caddyfile',
  replacements: () => [['{$SITE', `${CADDY_OPTIONS}{$SITE`], SHORTENED],
  args: file => ['run', '--adapter', 'caddyfile', '--config', file],
  env: ({ folder, port, upstream }) => ({
    SITE: `https://127.0.0.1:${port}`,
    UPSTREAM: upstream,
    HOME: folder,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }),
  authority: ({ folder }) => join(folder, 'data/caddy/pki/authorities/local/root.crt'),
}

const ALL = [NGINX, HAPROXY, CADDY]

/** Proxies that this machine has. */
export const KINDS = ALL.filter(({ name }) => findProgram(name))

const missing = ALL.filter(kind => !KINDS.includes(kind)).map(({ name }) => name)
if (missing.length > 0)
  console.warn(`Without ${missing.join(' and ')} its file is not tried: apt-get install ${missing.join(' ')}`)

const configFor = (kind: Kind, place: Place): string => {
  let config = readText(`ops/proxy/${kind.file}`)
  for (const [before, after] of kind.replacements(place)) {
    if (!config.includes(before)) throw new Error(`ops/proxy/${kind.file} has no ${before}`)
    config = config.replaceAll(before, after)
  }
  return config
}

const makeCertificate = ({ folder, certificate, key }: Place): void => {
  issueCertificate({ cert: certificate, key }, 'partners.example', 1)
  writeFileSync(join(folder, 'tls.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
}

const listens = (port: number): Promise<boolean> =>
  new Promise(done => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy()
        done(true)
      })
      .once('error', () => done(false))
  })

/** Resolves once it listens. @throws Error with its output where it ends or takes too long. */
const ready = async (child: ChildProcess, said: Promise<string>, { port }: Place): Promise<void> => {
  const until = performance.now() + PATIENCE_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`The proxy has ended:\n${await said}`)
    if (performance.now() > until) throw new Error(`The proxy does not listen at ${port}`)
    await delay(20)
  }
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  await exited
  clearTimeout(timer)
}

export interface RunningProxy extends AsyncDisposable {
  readonly name: string
  /** `https://127.0.0.1:<port>`. */
  readonly address: string
  /** The certificate that clients have to trust. */
  readonly authority: string
}

/** Starts a proxy before a program at this address; use with `await using`, or dispose of it in `afterAll`. */
export async function startProxy(kind: Kind, upstream: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), `partner-graph-${kind.name}-`))
  // nginx works as another user than the one who started it.
  chmodSync(folder, 0o755)
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const place = { folder, port: await freePort(), upstream: new URL(upstream).host, certificate, key }
  makeCertificate(place)
  const file = join(folder, kind.file)
  writeFileSync(file, configFor(kind, place))
  const env = { PATH: process.env['PATH'], ...kind.env?.(place) }
  const child = spawn(findProgram(kind.name)!, kind.args(file, place), {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr)
  const close = async () => {
    await ended(child)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready(child, said, place)
    const authority = readFileSync(kind.authority(place), 'utf8')
    return {
      name: kind.name,
      address: `https://127.0.0.1:${place.port}`,
      authority,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
