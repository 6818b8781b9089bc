/** Client of partner-graph: typed REST, the graph, and events that resume. */
export { type Client, type ClientOptions, createClient } from './client.ts'
export { Refusal } from './errors.ts'
export type { CursorStore } from './follow/acks.ts'
export {
  type EventType,
  type FollowedEvent,
  type FollowFilter,
  Interruption,
  type TransactionKind,
} from './follow/event.ts'
export {
  type Delivery,
  type Following,
  type FollowOptions,
  type FollowState,
  type FollowWay,
  follow,
} from './follow/follow.ts'
export type * from './rest/paths.generated.ts'
export type { PathsWith, Rest, RestOptions, RestResponse } from './rest.ts'
export { memoryCursorStore } from './stores/memory.ts'
export { type CredentialsOptions, clientCredentials, type TokenSource } from './tokens.ts'
