/** Generated from services.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type ServicesReachedQueryVariables = Exact<{ [key: string]: never; }>;


export type ServicesReachedQuery = { readonly payments: { readonly pageInfo: { readonly hasNextPage: boolean } } | null, readonly recharges: { readonly pageInfo: { readonly hasNextPage: boolean } } | null, readonly messages: { readonly pageInfo: { readonly hasNextPage: boolean } } | null, readonly rewards: { readonly pageInfo: { readonly hasNextPage: boolean } } | null, readonly redemptions: { readonly pageInfo: { readonly hasNextPage: boolean } } | null, readonly timeline: { readonly pageInfo: { readonly hasNextPage: boolean } } | null };

export const ServicesReachedDocument = `query ServicesReached {
  payments(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
  recharges(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
  messages(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
  rewards(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
  redemptions(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
  timeline(first: 1) {
    pageInfo {
      hasNextPage
    }
  }
}` as GraphDocument<ServicesReachedQuery, ServicesReachedQueryVariables>
