/** Subscriptions over graphql-transport-ws that go on after their last event when the connection was lost. */
import { createClient } from './graphql-ws/dist/client.js'
import { token } from './sign-in.js'

const AGAIN_MS = 1_000
/** What the server closes with for a reason of its own, which connecting again does not mend. */
const FIRST_FATAL = 4_000

const wait = { retryAttempts: 0, lazy: true }

/** A client on this page's own address; its token is asked for at each connection. */
export const createSocket = () => {
  const url = new URL('/graphql', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const connectionParams = async () => ({ authorization: `Bearer ${await token()}` })
  return createClient({ ...wait, url: url.href, connectionParams })
}

/** A connection that was closed says by which code; one whose network has failed, nothing but that it has. */
const isLost = error => (typeof error?.code === 'number' ? error.code < FIRST_FATAL : error?.type === 'error')

const cursorOf = ({ data }) => Object.values(data ?? {}).find(event => event?.cursor)?.cursor

const toError = error =>
  typeof error?.code === 'number' ? new Error(`closed: ${error.code} ${error.reason}`) : error

/** What GraphiQL takes for a subscription. @param isResumable whether the operation has a variable `after`. */
export const follow = (socket, operation, isResumable) => ({
  subscribe(observer) {
    let { variables } = operation
    let stop = () => {}
    let again
    const fail = error => {
      if (isLost(error) && isResumable) again = setTimeout(start, AGAIN_MS)
      else observer.error(toError(error))
    }
    const start = () => {
      stop = socket.subscribe(
        { ...operation, variables },
        {
          next(result) {
            const after = cursorOf(result)
            if (isResumable && after) variables = { ...variables, after }
            observer.next(result)
          },
          error: fail,
          complete: () => observer.complete(),
        },
      )
    }
    start()
    return {
      unsubscribe() {
        clearTimeout(again)
        stop()
      },
    }
  },
})

/** So many results are shown; of more the newest. */
const MAX_SHOWN = 50

/** A subscription of which each result is shown on top of those before it, for a viewer that shows one result alone. */
export const listed = subscription => ({
  subscribe(observer) {
    let received = 0
    let newestFirst = []
    return subscription.subscribe({
      ...observer,
      next(result) {
        received++
        newestFirst = [result, ...newestFirst].slice(0, MAX_SHOWN)
        observer.next({ received, newestFirst })
      },
      error: error => observer.error(error),
      complete: () => observer.complete(),
    })
  },
})
