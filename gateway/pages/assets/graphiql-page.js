/** GraphiQL on this server's graph, as whoever is signed in. */
import { isSignedIn, onSignIn, token } from './sign-in.js'
import { createSocket, follow, listed } from './subscribe.js'

const { React, ReactDOM, GraphiQL } = globalThis

const examples = JSON.parse(document.getElementById('examples').textContent)
const fresh = Date.now().toString(36)
const defaultTabs = examples.map(({ query, variables }) => ({
  query,
  variables: variables.replaceAll('{new}', fresh),
}))

const NOBODY = { errors: [{ message: 'Sign in above: the graph answers to those who have a token' }] }

const post = async (operation, headers) => {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await token()}`, ...headers },
    body: JSON.stringify(operation),
  })
  return response.json()
}

const OPERATION = /^\s*(query|mutation|subscription)\b\s*(\w*)/gm
const AFTER = /\$after\s*:/

/** Read from the text: right after a change of tabs GraphiQL still names the operation of the tab before. */
const chosenIn = ({ query, operationName }) => {
  const all = [...query.matchAll(OPERATION)].map(([, type, name]) => ({ type, name }))
  return all.find(({ name }) => name === operationName) ?? all[0]
}

const createFetcher =
  socket =>
  (sent, { headers } = {}) => {
    if (!isSignedIn()) return NOBODY
    const chosen = chosenIn(sent)
    const operation = { ...sent, operationName: chosen?.name || undefined }
    if (chosen?.type === 'subscription') return listed(follow(socket, operation, AFTER.test(sent.query)))
    return post(operation, headers)
  }

/**
 * GraphiQL keeps the active tab beside the tabs. Where the two differ it would open one more at each load; where there are
 * no tabs yet, it would show the first one without its variables.
 */
const restoreActiveTab = () => {
  const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}')
  const active = tabs?.[activeTabIndex] ?? defaultTabs[0]
  localStorage.setItem('graphiql:query', active.query ?? '')
  localStorage.setItem('graphiql:variables', active.variables ?? '')
}

const root = ReactDOM.createRoot(document.getElementById('graphiql'))
let socket

/** With another fetcher the schema is read anew; while nobody is signed in there is none to read. */
const show = () => {
  socket?.dispose()
  socket = createSocket()
  const schema = isSignedIn() ? undefined : null
  root.render(React.createElement(GraphiQL, { fetcher: createFetcher(socket), schema, defaultTabs }))
}

restoreActiveTab()
onSignIn(show)
