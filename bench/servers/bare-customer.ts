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

const ofNumber = (table: string, node: string) =>
  `json_build_object('nodes', ${newest(table, 't.mobile_number = l.number', node)})`

const STATUS = `'transactionOperationStatus', t.status`
const COMPLETED = `'completedAt', to_char(t.completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const OF_ACCOUNT = 't.account_number = l.account_number'

const CUSTOMER = {
  name: 'customer-360',
  text: `SELECT json_build_object('data', json_build_object('subscriber', json_build_object(
    'mobileNumber', '+' || l.number,
    'kind', CASE a.customer_type WHEN 14 THEN 'PREPAID' WHEN 11 THEN 'FAX' WHEN 12 THEN 'DATA' ELSE 'POSTPAID' END,
    'customer', json_build_object('customerName', a.customer_name, 'customerStatus', a.customer_status,
      'totalDues', ${balance('dues', 'l.account_number', 'OMR')},
      'payments', json_build_object('totalCount', (SELECT count(*) FROM postpaid.payment t WHERE ${OF_ACCOUNT}),
        'nodes', ${newest('postpaid.payment', OF_ACCOUNT, `'paymentId', t.id, ${STATUS}, 'amount', ${money('t.amount', 't.currency')}`)})),
    'prepaidBalance', ${money(balance('prepaid', 'l.number', 'OMR'))},
    'pointsBalance', ${balance('points', 'l.number', '')},
    'recharges', ${ofNumber('prepaid.recharge', `'rechargeId', t.id, 'amount', ${money('t.amount', 't.currency')}, ${COMPLETED}`)},
    'rewards', ${ofNumber('loyalty.reward', `'rewardId', t.id, 'points', t.points`)},
    'redemptions', ${ofNumber('redemption.redemption', `'redemptionId', t.id, 'points', t.points, ${STATUS}`)},
    'messages', ${ofNumber('messaging.message', `'otlTransactionId', t.id, ${STATUS}`)}))) ::text AS answer
  FROM directory.line l JOIN directory.account a USING (account_number) WHERE l.kind = 'phone' AND l.number = $1`,
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
