/** Who the page is signed in as: a demo client, for which a token is fetched, or whoever a token belongs to. */

const TOKEN_PATH = '/oauth2/accesstoken'
/** A token is replaced so long before it ends, in milliseconds. */
const EARLY_MS = 30_000
const REMEMBERED = 'partner-graph:demo-client'

const form = document.getElementById('sign-in')
const select = document.getElementById('client')
const input = document.getElementById('token')
const output = document.getElementById('signed-in')

const fetchToken = async client => {
  const response = await fetch(TOKEN_PATH, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error_description ?? answer.error)
  return { token: answer.access_token, until: Date.now() + answer.expires_in * 1_000 - EARLY_MS }
}

/** The token of a demo client, fetched again when it ends. */
const tokenOfClient = client => {
  let current = { until: 0 }
  return async () => {
    if (Date.now() >= current.until) current = await fetchToken(client)
    return current.token
  }
}

let getToken
const listeners = new Set()

const change = (name, get) => {
  getToken = get
  output.value = name ? `signed in: ${name}` : 'not signed in'
  for (const listener of listeners) listener()
}

const signInAs = async client => {
  sessionStorage.setItem(REMEMBERED, client)
  if (client === '') return change()
  const get = tokenOfClient(client)
  try {
    await get()
    change(client, get)
  } catch (error) {
    change()
    output.value = `${client}: ${error.message}`
  }
}

/** The access token, or undefined while nobody is signed in. */
export const token = async () => getToken?.()

export const isSignedIn = () => getToken !== undefined

/** Calls `listener` now and whenever somebody else is signed in. */
export const onSignIn = listener => {
  listeners.add(listener)
  listener()
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const text = input.value.trim()
  if (text) change('by access token', async () => text)
})

if (select) {
  select.addEventListener('change', () => signInAs(select.value))
  // Who is quick has chosen before this runs.
  if (!select.value) select.value = sessionStorage.getItem(REMEMBERED) ?? ''
  if (select.value) signInAs(select.value)
}
