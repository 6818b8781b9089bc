/**
 * Session of the person at the page: as a demo client, at the outside identity provider, or by a token that was pasted.
 * Tokens stay in the memory of this tab; what is kept for a reload is which way was taken, and nothing secret.
 */
import { type GraphFault, isAway } from '../graph/errors.ts'
import { createStore } from '../kit/store.ts'
import { pageConfig } from '../page-config.ts'
import { askAgain, askServer, ServerAway, untilAnswered } from './server-away.ts'

export type SessionState =
  | { readonly name: 'signed-out'; readonly fault?: string }
  | {
      readonly name: 'signing-in'
      /** Whether the server does not answer; it is asked again until it does. */
      readonly isAway?: true
    }
  | { readonly name: 'ended' }
  | {
      readonly name: 'signed-in'
      /** How the graph knows the client or person. */
      readonly who: string
      /** `partner`, `portal`, `analyst` or another role of the graph. */
      readonly role: string
    }

export const session = createStore<SessionState>({ name: 'signed-out' })

const hasRole = (...roles: readonly string[]): boolean => {
  const state = session.get()
  return state.name === 'signed-in' && roles.includes(state.role)
}

/** Whether the role is one of the operator's own, which see who posted a transaction and who intervened in it. */
export const isOperator = (): boolean => hasRole('analyst', 'portal')

/** Whether the role sees the addresses of webhooks, and may send to them again. */
export const handlesWebhooks = (): boolean => hasRole('partner', 'portal')

/** A way to get tokens. */
export interface TokenSource {
  /** A token that is good for a while; called before each request. @throws Error where there is none any more. */
  token(): Promise<string>
  /** Ends the session where it was begun; may leave the page. */
  end?(): Promise<void>
}

let source: TokenSource | undefined
/** Number of the sign-in that counts: one that was overtaken by another changes nothing. */
let attempt = 0

/** The way that was taken last, so that a reload takes it again: `demo:<client>` or `provider`. */
const REMEMBERED = 'partner-graph:signed-in-by'

const remember = (way: string | undefined) => {
  try {
    if (way === undefined) sessionStorage.removeItem(REMEMBERED)
    else sessionStorage.setItem(REMEMBERED, way)
  } catch {
    // A browser may forbid it: a reload then asks again.
  }
}

const remembered = (): string | undefined => {
  try {
    return sessionStorage.getItem(REMEMBERED) ?? undefined
  } catch {
    return undefined
  }
}

/** Tells that the identity provider would have to ask the person, who has not been asked yet. */
class PersonNeeded extends Error {}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Client and role as the graph knows them by the token. @throws ServerAway where the token was not judged. */
const fetchMe = async (token: string) => {
  const { status, body } = await askServer('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: 'query Me { me { id name role } }' }),
  })
  const { data, errors, message } = body
  if (data?.me) return data.me as { id: string; name: string; role: string }
  const fault = errors?.[0]?.message ?? message ?? `The graph answered ${status}`
  if (errors?.some(({ extensions }: { extensions: GraphFault }) => isAway(extensions)))
    throw new ServerAway(fault)
  throw new Error(fault)
}

/** The sign-in that is under way, or the last one. */
let underWay: Promise<void> = Promise.resolve()

/** Signs in by a source of tokens. */
function begin(open: () => Promise<TokenSource>, way?: string): Promise<void> {
  underWay = signInBy(open, way)
  return underWay
}

async function signInBy(open: () => Promise<TokenSource>, way: string | undefined): Promise<void> {
  const own = ++attempt
  askAgain()
  session.set({ name: 'signing-in' })
  try {
    const opened = await open()
    const { id, name, role } = await untilAnswered(
      async () => fetchMe(await opened.token()),
      () => {
        if (own !== attempt) return false
        remember(way)
        session.set({ name: 'signing-in', isAway: true })
        return true
      },
    )
    if (own !== attempt) return
    source = opened
    remember(way)
    session.set({ name: 'signed-in', who: name || id, role })
  } catch (error) {
    if (own !== attempt) return
    source = undefined
    remember(undefined)
    session.set({
      name: 'signed-out',
      ...(!(error instanceof PersonNeeded) && { fault: messageOf(error) }),
    })
  }
}

/** Signs in as one of the demo's clients. */
export const signInAsDemo = (client: string): Promise<void> =>
  begin(async () => (await import('./demo.ts')).demoSource(client), `demo:${client}`)

/** Signs in by a token that came from another source. */
export const signInByToken = (token: string): Promise<void> =>
  begin(async () => ({ token: async () => token }))

/** Leaves for the sign-in of the identity provider; the person comes back to the page that is shown now. */
export async function signInAtProvider(): Promise<void> {
  session.set({ name: 'signing-in' })
  try {
    const { leaveForSignIn } = await import('./provider.ts')
    await leaveForSignIn()
  } catch (error) {
    session.set({ name: 'signed-out', fault: messageOf(error) })
  }
}

/**
 * Completes the sign-in when the provider has sent the person back.
 * @returns the path to go on at; undefined where the sign-in failed, as the session says.
 */
export async function returnFromProvider(): Promise<string | undefined> {
  let path: string | undefined
  await begin(async () => {
    const returned = await (await import('./provider.ts')).completeSignIn()
    path = returned.path
    if (!returned.source) throw new PersonNeeded()
    return returned.source
  }, 'provider')
  const state = session.get()
  return state.name === 'signed-out' && state.fault ? undefined : path
}

/** Signs out here, and at the identity provider where the session was begun there. */
export async function signOut(): Promise<void> {
  const { end } = source ?? {}
  attempt++
  askAgain()
  source = undefined
  remember(undefined)
  session.set({ name: 'signed-out' })
  await end?.()
}

/** Notes that tokens are not accepted any more. */
export function endSession(): void {
  if (session.get().name !== 'signed-in') return
  source = undefined
  session.set({ name: 'ended' })
}

/**
 * The access token for a request, once a sign-in that is under way is over; undefined while nobody is signed in.
 * @throws ServerAway where it cannot be renewed now, which does not end the session.
 */
export async function accessToken(): Promise<string | undefined> {
  await underWay
  try {
    return await source?.token()
  } catch (error) {
    if (error instanceof ServerAway) throw error
    endSession()
    return undefined
  }
}

/** Takes the way that was taken before the page was loaded, if any. */
export async function resumeSession(): Promise<void> {
  const way = remembered()
  const demo = way?.startsWith('demo:') ? way.slice('demo:'.length) : undefined
  if (demo && pageConfig.demoClients.includes(demo)) await signInAsDemo(demo)
  else if (way === 'provider' && pageConfig.provider?.metadata) {
    // The provider remembers the person; no page of it is shown.
    remember(undefined)
    session.set({ name: 'signing-in' })
    const { leaveForSignIn } = await import('./provider.ts')
    await leaveForSignIn({ prompt: 'none' })
  }
}
