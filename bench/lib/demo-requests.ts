/** Requests to a server with demo data: the portal's customer-360, and a payment. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokenHeaders } from './pair.ts'

const QUERY = readFileSync(join(import.meta.dirname, '../../schema/operations/customer-360.graphql'), 'utf8')
const NUMBER = '96891000001'
const ACCOUNT = '100001'

export interface DemoRequests {
  customer360(): Promise<void>
  payment(): Promise<void>
}

const payment = () => ({
  paymentTransaction: {
    clientCorrelatorId: randomUUID(),
    referenceCode: 'BENCH',
    customerInfo: { customerAccountNumber: ACCOUNT, phoneNumber: NUMBER },
    paymentInfo: { paymentInformation: { amount: 0.25, currency: 'OMR', description: 'Monthly bill' } },
  },
})

const post = async (url: string, headers: Record<string, string>, body: object, status: number) => {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (response.status !== status || text.includes('"errors"'))
    throw new Error(`${url}: ${response.status} ${text}`)
}

/** Requests to this server, with tokens that are had before the first. */
export async function openDemoRequests(address: string): Promise<DemoRequests> {
  const [analyst, partner] = await Promise.all(
    ['demo-analyst', 'demo-partner'].map(client => tokenHeaders(address, client)),
  )
  const query = { query: QUERY, variables: { n: `+${NUMBER}` } }
  return {
    customer360: () => post(`${address}/graphql`, analyst!, query, 200),
    payment: () => post(`${address}/postpaid-billing/v1/payments`, partner!, payment(), 201),
  }
}
