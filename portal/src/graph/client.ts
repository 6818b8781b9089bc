/**
 * The client of the graph: urql, without a cache, so that a page shows the state of now and its memory stays flat.
 * Subscriptions resume by themselves (`resume.ts`).
 */
import { createClient } from 'graphql-ws'
import { Client, fetchExchange, mapExchange, subscriptionExchange } from 'urql'
import { accessToken, endSession } from '../session/session.ts'
import { faultsOf, isUnauthorized } from './errors.ts'
import { resuming, type Watcher } from './resume.ts'

declare module 'urql' {
  interface OperationContext {
    watcher?: Watcher
  }
}

const SOCKET = `${location.origin.replace(/^http/, 'ws')}/graphql`

const bearer = async () => ({ authorization: `Bearer ${await accessToken()}` })

/** The connection for subscriptions, which is opened by the first one. */
export const socket = createClient({ url: SOCKET, connectionParams: bearer, retryAttempts: 0 })

/** Subscribes, and again behind the last event after a cut. */
export const resume = resuming(socket)

/** Closing code of a token that is not accepted: the next connection asks for another one. */
const followExchange = subscriptionExchange({
  forwardSubscription: ({ query = '', ...request }, { context }) => ({
    subscribe: results => ({ unsubscribe: resume({ query, ...request }, results, context.watcher) }),
  }),
})

/** Where no token can be had for now, the request fails as one that the network lost. */
const fetchWithToken: typeof fetch = async (url, request) => {
  const accept = 'application/graphql-response+json'
  return fetch(url, { ...request, headers: { ...request?.headers, accept, ...(await bearer()) } })
}

const endExchange = mapExchange({
  onResult({ error }) {
    if (faultsOf(error).some(isUnauthorized)) endSession()
  },
})

export const graph = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetch: fetchWithToken,
  exchanges: [endExchange, followExchange, fetchExchange],
})
