/**
 * A real identity provider in a process of its own: oidc-provider, which gives services tokens by their client credentials,
 * with claims as the provider of an operator writes them. It prints its address when it serves.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export const AUDIENCE = 'https://graph.example/api'

/** Claims of each service's token beside those of the protocol, by the id of its client. */
export type Services = Readonly<Record<string, object>>

export interface Provider extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly issuer: string
  /** Signs with a new key from now on; the former one stays published. */
  rotate(): Promise<void>
  /** Gets a token of a service. */
  token(id: string): Promise<string>
}

const secretOf = (id: string) => `${id}-secret-of-a-service`

/** Starts the provider. */
export async function startProvider(services: Services): Promise<Provider> {
  const child = fork(import.meta.filename, [JSON.stringify(services)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [issuer] = (await once(child, 'message')) as [string]
  return {
    issuer,
    async rotate() {
      child.send('rotate')
      await once(child, 'message')
    },
    async token(id) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secretOf(id)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE }),
      })
      const { access_token } = (await response.json()) as { access_token?: string }
      if (access_token === undefined) throw new Error(`the provider refused ${id}: ${response.status}`)
      return access_token
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Runs the provider until its parent ends it. */
async function run(services: Services): Promise<void> {
  const { Provider } = await import('oidc-provider')
  const { exportJWK, generateKeyPair } = await import('jose')
  let handle: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys: object[] = []
  const serve = async () => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    keys.unshift({ ...(await exportJWK(privateKey)), kid: `key-${keys.length}`, use: 'sig', alg: 'RS256' })
    const provider = new Provider(issuer, {
      clients: Object.keys(services).map(id => ({
        client_id: id,
        client_secret: secretOf(id),
        redirect_uris: [],
        response_types: [],
        grant_types: ['client_credentials'],
      })),
      jwks: { keys },
      extraTokenClaims: (_, { clientId }) => services[clientId!] as Record<string, string>,
      features: {
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, audience) => ({
            ...{ scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 60 },
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    })
    handle = provider.callback()
  }
  await serve()
  process.on('message', () => serve().then(() => process.send!('rotated')))
  process.send!(issuer)
}

if (process.argv[1] === import.meta.filename) await run(JSON.parse(process.argv[2]!) as Services)
