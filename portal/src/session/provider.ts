/**
 * Sign-in at the outside identity provider: authorization code with PKCE (RFC 7636), by oidc-client-ts. Tokens are kept
 * in memory; the state of a sign-in that is under way, with its code verifier, outlasts the way to the provider and back
 * in `sessionStorage`.
 */
import { ErrorResponse, InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts'
import { SIGNED_IN_PATH } from '#gateway/pages/page-config.ts'
import { pageConfig } from '../page-config.ts'
import { endSession, type TokenSource } from './session.ts'

interface SignInState {
  readonly path: string
}

const isAddress = (text: string) => /^[a-z][a-z\d+.-]*:/i.test(text)

/** Providers name the audience by different parameters, and ignore those that they do not know (RFC 6749 §3.1). */
const audienceParameters = (audience: string) => ({
  extraQueryParams: { audience },
  // A resource is an absolute address (RFC 8707 §2).
  ...(isAddress(audience) && { resource: audience }),
})

const createManager = (): UserManager => {
  const { provider } = pageConfig
  if (!provider?.metadata) throw new Error('the identity provider does not answer')
  const { clientId, scope, audience, metadata } = provider
  const address = `${location.origin}${SIGNED_IN_PATH}`
  return new UserManager({
    authority: metadata.issuer,
    metadata,
    client_id: clientId,
    redirect_uri: address,
    silent_redirect_uri: address,
    post_logout_redirect_uri: `${location.origin}/`,
    response_type: 'code',
    scope,
    ...audienceParameters(audience),
    loadUserInfo: false,
    monitorSession: false,
    automaticSilentRenew: true,
    accessTokenExpiringNotificationTimeInSeconds: 30,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: 'partner-graph:sign-in:' }),
  })
}

let made: UserManager | undefined

const manager = (): UserManager => {
  made ??= createManager()
  return made
}

/** Leaves for the provider. With `prompt: 'none'` it shows no page of its own, and says where somebody has to. */
export async function leaveForSignIn(more: { readonly prompt?: 'none' } = {}): Promise<void> {
  const state: SignInState = { path: `${location.pathname}${location.search}` }
  await manager().signinRedirect({ state, ...more })
}

/** A path of this server, whatever came back. */
const ownPath = (path: unknown): string =>
  typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : '/'

/** Whether the page was loaded in the hidden frame of a silent renewal. */
export const isSilent = (): boolean => window.parent !== window

/** Hands the code of a silent renewal to the page around the frame. */
export const completeSilently = (): Promise<void> => manager().signinSilentCallback()

const sourceOf = (users: UserManager): TokenSource => {
  users.events.addAccessTokenExpired(endSession)
  return {
    async token() {
      const user = await users.getUser()
      if (!user || user.expired) throw new Error('the session has ended')
      return user.access_token
    },
    end: async () => {
      const { metadata } = pageConfig.provider ?? {}
      if (metadata?.end_session_endpoint) await users.signoutRedirect()
      else await users.removeUser()
    },
  }
}

/** Errors of a sign-in without a page of the provider, when it would need one (OpenID Connect Core 1.0 §3.1.2.6). */
const PERSON_NEEDED = [
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]

const pathIn = (state: unknown): string => ownPath((state as SignInState | undefined)?.path)

/** Redeems the code with which the provider sent the person back; no source where it would have to ask the person. */
export async function completeSignIn(): Promise<{ source: TokenSource | undefined; path: string }> {
  const users = manager()
  try {
    const user = await users.signinRedirectCallback()
    return { source: sourceOf(users), path: pathIn(user.state) }
  } catch (error) {
    if (!(error instanceof ErrorResponse) || !PERSON_NEEDED.includes(error.error ?? '')) throw error
    return { source: undefined, path: pathIn(error.state) }
  }
}
