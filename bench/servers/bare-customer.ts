/** The analyst's query by hand: one statement, whose JSON goes to the client as the database wrote it. */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

const money = (amount: string, currency = `'OMR'`) =>
  `json_build_object('value', ${amount}, 'currency', ${currency})`

const balance = (kind: string, holder: string, currency: string) =>
  `coalesce((SELECT amount FROM ledger.balance WHERE holder = ${holder} AND kind = '${kind}' AND currency = '${currency}'), 0)`

/** The newest five of a number or an account. */
const newest = (table: string, holder: string, node: string) =>
  `(SELECT coalesce(json_agg(json_build_object(${node})), '[]') FROM (
    SELECT * FROM ${table} t WHERE ${holder} ORDER BY t.position DESC LIMIT 5) t)`

const STATUS = `'transactionOperationStatus', t.status`
const COMPLETED = `'completedAt', to_char(t.completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const AMOUNT = `'amount', ${money('t.amount', 't.currency')}`
const OF_ACCOUNT = 't.account_number = l.account_number'
const OF_NUMBER = 't.mobile_number = l.number'

/** The fields that are more than columns of a line `l` and its account `a`. */
export const PARTS = {
  totalDues: balance('dues', 'l.account_number', 'OMR'),
  totalCount: `(SELECT count(*) FROM postpaid.payment t WHERE ${OF_ACCOUNT})`,
  payments: newest('postpaid.payment', OF_ACCOUNT, `'paymentId', t.id, ${STATUS}, ${AMOUNT}`),
  prepaidBalance: money(balance('prepaid', 'l.number', 'OMR')),
  pointsBalance: balance('points', 'l.number', ''),
  recharges: newest('prepaid.recharge', OF_NUMBER, `'rechargeId', t.id, ${AMOUNT}, ${COMPLETED}`),
  rewards: newest('loyalty.reward', OF_NUMBER, `'rewardId', t.id, 'points', t.points`),
  redemptions: newest(
    'redemption.redemption',
    OF_NUMBER,
    `'redemptionId', t.id, 'points', t.points, ${STATUS}`,
  ),
  messages: newest('messaging.message', OF_NUMBER, `'otlTransactionId', t.id, ${STATUS}`),
}

export const KIND = `CASE a.customer_type WHEN 14 THEN 'PREPAID' WHEN 11 THEN 'FAX' WHEN 12 THEN 'DATA' ELSE 'POSTPAID' END`

/** The line of a number and its account. */
export const LINE = `directory.line l JOIN directory.account a USING (account_number) WHERE l.kind = 'phone' AND l.number = $1`

const nodes = (name: 'recharges' | 'rewards' | 'redemptions' | 'messages') =>
  `'${name}', json_build_object('nodes', ${PARTS[name]})`

const CUSTOMER = {
  name: 'customer-360',
  text: `SELECT json_build_object('data', json_build_object('subscriber', json_build_object(
    'mobileNumber', '+' || l.number, 'kind', ${KIND},
    'customer', json_build_object('customerName', a.customer_name, 'customerStatus', a.customer_status,
      'totalDues', ${PARTS.totalDues},
      'payments', json_build_object('totalCount', ${PARTS.totalCount}, 'nodes', ${PARTS.payments})),
    'prepaidBalance', ${PARTS.prepaidBalance}, 'pointsBalance', ${PARTS.pointsBalance},
    ${nodes('recharges')}, ${nodes('rewards')}, ${nodes('redemptions')}, ${nodes('messages')}))) ::text AS answer
  FROM ${LINE}`,
}

/** The whole answer about a number (`+968…`), as JSON. */
export async function readCustomer(pool: pg.Pool, mobileNumber: string): Promise<string> {
  const { rows } = await pool.query<{ answer: string }>({ ...CUSTOMER, values: [mobileNumber.slice(1)] })
  return rows[0]?.answer ?? '{"data":{"subscriber":null}}'
}

export function registerCustomer(server: FastifyInstance, pool: pg.Pool): void {
  server.post<{ Body: { variables: { n: string } } }>('/graphql', async ({ body }, reply) =>
    reply.type('application/json').send(await readCustomer(pool, body.variables.n)),
  )
}
