/** Generated from customer.graphql by `npm run codegen`; do not edit. */
import type { GraphDocument } from '#portal/graph/document.ts'

/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Use of a mobile number. */
export type LineKind =
  /** GSM data. */
  | 'DATA'
  /** GSM fax. */
  | 'FAX'
  /** Billed at the end of the month. */
  | 'POSTPAID'
  /** Paid in advance. */
  | 'PREPAID';

/** The technologies of a line. */
export type LineType =
  /** A fixed line. */
  | 'FIXEDLINE'
  /** An internet account. */
  | 'INTERNET_ACCOUNT'
  /** A mobile number. */
  | 'PHONE';

export type CustomerOverviewQueryVariables = Exact<{
  account: string;
}>;


export type CustomerOverviewQuery = { readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly customerStatus: string | null, readonly customerType: number | null, readonly acctCategory: string | null, readonly collectionIndicator: string | null, readonly custAddr1: string | null, readonly custAddr2: string | null, readonly custAddr3: string | null, readonly closed: boolean, readonly totalDues: number, readonly lines: ReadonlyArray<{ readonly type: LineType, readonly number: string, readonly active: boolean, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind, readonly pointsBalance: number | null, readonly prepaidBalance: { readonly value: number, readonly currency: string } | null } | null }> } | null };

export type NumberOverviewQueryVariables = Exact<{
  number: string;
}>;


export type NumberOverviewQuery = { readonly subscriber: { readonly mobileNumber: string, readonly active: boolean, readonly kind: LineKind, readonly pointsBalance: number | null, readonly prepaidBalance: { readonly value: number, readonly currency: string } | null, readonly customer: { readonly customerAccountNumber: string, readonly customerName: string | null, readonly customerStatus: string | null, readonly customerType: number | null, readonly acctCategory: string | null, readonly collectionIndicator: string | null, readonly custAddr1: string | null, readonly custAddr2: string | null, readonly custAddr3: string | null, readonly closed: boolean, readonly totalDues: number, readonly lines: ReadonlyArray<{ readonly type: LineType, readonly number: string, readonly active: boolean, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind, readonly pointsBalance: number | null, readonly prepaidBalance: { readonly value: number, readonly currency: string } | null } | null }> } | null } | null };

export type CustomerFactsFragment = { readonly customerAccountNumber: string, readonly customerName: string | null, readonly customerStatus: string | null, readonly customerType: number | null, readonly acctCategory: string | null, readonly collectionIndicator: string | null, readonly custAddr1: string | null, readonly custAddr2: string | null, readonly custAddr3: string | null, readonly closed: boolean, readonly totalDues: number, readonly lines: ReadonlyArray<{ readonly type: LineType, readonly number: string, readonly active: boolean, readonly subscriber: { readonly mobileNumber: string, readonly kind: LineKind, readonly pointsBalance: number | null, readonly prepaidBalance: { readonly value: number, readonly currency: string } | null } | null }> };

export const CustomerOverviewDocument = `query CustomerOverview(\$account: String!) {
  customer(customerAccountNumber: \$account) {
    ...CustomerFacts
  }
}

fragment CustomerFacts on Customer {
  customerAccountNumber
  customerName
  customerStatus
  customerType
  acctCategory
  collectionIndicator
  custAddr1
  custAddr2
  custAddr3
  closed
  totalDues
  lines {
    type
    number
    active
    subscriber {
      mobileNumber
      kind
      prepaidBalance {
        value
        currency
      }
      pointsBalance
    }
  }
}` as GraphDocument<CustomerOverviewQuery, CustomerOverviewQueryVariables>

export const NumberOverviewDocument = `query NumberOverview(\$number: PhoneNumber!) {
  subscriber(mobileNumber: \$number) {
    mobileNumber
    active
    kind
    prepaidBalance {
      value
      currency
    }
    pointsBalance
    customer {
      ...CustomerFacts
    }
  }
}

fragment CustomerFacts on Customer {
  customerAccountNumber
  customerName
  customerStatus
  customerType
  acctCategory
  collectionIndicator
  custAddr1
  custAddr2
  custAddr3
  closed
  totalDues
  lines {
    type
    number
    active
    subscriber {
      mobileNumber
      kind
      prepaidBalance {
        value
        currency
      }
      pointsBalance
    }
  }
}` as GraphDocument<NumberOverviewQuery, NumberOverviewQueryVariables>
