/** Exits with 0 while the server of this container can serve: the health check of the image. */
const port = process.env.PORT ?? '4000'
const scheme = process.env.TLS_CERT ? 'https' : 'http'
const { request } = await import(`node:${scheme}`)

const ask = request(
  // The certificate names the public host, not this one.
  { host: '127.0.0.1', port, path: '/health/ready', timeout: 4_000, rejectUnauthorized: false },
  response => process.exit(response.statusCode === 200 ? 0 : 1),
)
ask.on('timeout', () => process.exit(1))
ask.on('error', () => process.exit(1))
ask.end()
