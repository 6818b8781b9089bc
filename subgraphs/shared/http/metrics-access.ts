/** Who may read the metrics: whoever is in the operator's own network, or has the token of `METRICS_TOKEN`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors/catalogue.ts'
import { unmapped } from '../values/network.ts'

/** Loopback, private and link-local (RFC 1122, RFC 1918, RFC 3927, RFC 4193, RFC 4291). */
const OWN: [network: string, prefix: number, family: 'ipv4' | 'ipv6'][] = [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]

const own = new BlockList()
for (const range of OWN) own.addSubnet(...range)

const isOwn = (address: string): boolean => own.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** A proxy whose word does not count may speak for anybody. */
const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const hasToken = ({ headers }: FastifyRequest, token: string | undefined): boolean =>
  token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))

/**
 * Makes the hook that guards the metrics.
 * @throws ServiceError UNAUTHORIZED.
 */
export const guardMetrics =
  ({ metricsToken, trustProxy }: Pick<Config, 'metricsToken' | 'trustProxy'>) =>
  async (request: FastifyRequest): Promise<void> => {
    const isKnownPlace = trustProxy !== false || !isForwarded(request)
    if (isKnownPlace && isOwn(unmapped(request.ip))) return
    if (hasToken(request, metricsToken)) return
    throw new ServiceError(
      'UNAUTHORIZED',
      'Metrics are for the operator: Authorization: Bearer <METRICS_TOKEN>',
      {
        headers: { 'www-authenticate': 'Bearer realm="metrics"' },
      },
    )
  }
