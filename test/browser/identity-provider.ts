/**
 * A real identity provider in a process of its own: oidc-provider, whose people are named in its sign-in form. It prints
 * its address, and begins to serve when it hears the address of the graph, to which it sends people back.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

export const AUDIENCE = 'https://graph.example/api'
export const CLIENT_ID = 'pages'

/** Life of an access token: the pages renew it half a minute before its end, so soon after it was given. */
const TOKEN_SECONDS = 34

export interface ProviderProcess extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly issuer: string
  /** Says where the graph is. */
  serve(graph: string): Promise<void>
}

/** Starts the provider; its people have the role that their name begins with (`analyst-anna`). */
export async function startProvider(): Promise<ProviderProcess> {
  const child = fork(import.meta.filename, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const [issuer] = (await once(child, 'message')) as [string]
  return {
    issuer,
    async serve(graph) {
      child.send(graph)
      await once(child, 'message')
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Runs the provider until its parent ends it. */
async function run(): Promise<void> {
  const { Provider } = await import('oidc-provider')
  let handle: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.on('message', graph => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          token_endpoint_auth_method: 'none',
          redirect_uris: [`${graph}/pages/signed-in`],
          post_logout_redirect_uris: [`${graph}/`],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      clientBasedCORS: () => true,
      extraTokenClaims: (_, token) =>
        'accountId' in token ? { role: String(token.accountId).split('-')[0] } : undefined,
      features: {
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_, resource) => ({
            scope: '',
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: TOKEN_SECONDS,
          }),
          useGrantedResource: () => true,
        },
      },
    })
    handle = provider.callback()
    process.send!('serving')
  })
  process.send!(issuer)
}

if (process.argv[1] === import.meta.filename) await run()
