/** Payments by id and as a list, by hand: named statements, one for a page and its total. */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'

const COLUMNS = 'p.id, p.body, p.status, p.created_at, p.completed_at, p.webhook_url'

const BY_ID = {
  name: 'by-id',
  text: `SELECT ${COLUMNS} FROM postpaid.payment p WHERE p.id = $1 AND p.client_id = $2`,
}

const PAGE = {
  name: 'page',
  text: `SELECT b.position AS total, ${COLUMNS} FROM postpaid.book b
    LEFT JOIN postpaid.payment p ON p.client_id = b.client_id AND p.client_position > $2 AND p.client_position <= $2 + $3
    WHERE b.name = 'payment' AND b.client_id = $1 ORDER BY p.client_position`,
}

interface Row {
  readonly total: number
  readonly id: string
  readonly body: unknown
  readonly status: string
  readonly created_at: Date
  readonly completed_at: Date | null
  readonly webhook_url: string | null
}

const OFFSET = 4 * 3_600_000

const showTime = (date: Date) => new Date(date.getTime() + OFFSET).toISOString().replace('Z', '+04:00')

export const toPayment = ({
  id,
  body,
  status,
  created_at,
  completed_at,
  webhook_url,
}: Omit<Row, 'total'>) => ({
  paymentId: id,
  paymentTransaction: body,
  transactionOperationStatus: status,
  paymentCreationDate: showTime(created_at),
  ...(status === 'succeeded' && completed_at && { paymentDate: showTime(completed_at) }),
  ...(webhook_url && { webhook: { notificationUrl: webhook_url } }),
})

interface Routes {
  Params: { id: string }
  Querystring: { perPage: string; page: string }
}

export function registerPaymentReads(server: FastifyInstance, pool: pg.Pool): void {
  server.get<Routes>('/postpaid-billing/v1/payments/:id', async ({ params, clientId }, reply) => {
    const { rows } = await pool.query<Row>({ ...BY_ID, values: [params.id, clientId] })
    return rows[0] ? toPayment(rows[0]) : reply.code(404).send({ code: 'NOT_FOUND' })
  })
  server.get<Routes>('/postpaid-billing/v1/payments', async ({ query, clientId }, reply) => {
    const perPage = Number(query.perPage)
    const start = Number(query.page) * perPage
    const { rows } = await pool.query<Row>({ ...PAGE, values: [clientId, start, perPage] })
    const found = rows.filter(({ id }) => id !== null)
    reply.headers({ 'x-total-count': rows[0]?.total ?? 0, 'content-last-key': start + found.length })
    return found.map(toPayment)
  })
}
