/** The address and the token that each example begins with. */

/** The server to talk to: the first argument of the program, or that of `npm start`. */
export const ADDRESS = process.argv[2] ?? 'http://127.0.0.1:4000'

/**
 * A token by client credentials (RFC 6749 §4.4). The demo clients have these secrets.
 * @throws Error where the server gives none.
 */
export async function tokenOf(clientId: string): Promise<string> {
  const response = await fetch(`${ADDRESS}/oauth2/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientId}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  if (!response.ok) throw new Error(`No token for ${clientId}: ${response.status} ${await response.text()}`)
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/**
 * The data of an operation of the graph.
 * @throws Error with the messages of all errors, where there are any.
 */
export async function queryGraph<Data>(token: string, query: string, variables = {}): Promise<Data> {
  const response = await fetch(`${ADDRESS}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] }
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'))
  return data
}
