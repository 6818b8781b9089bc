/** `Vary`: on which headers of the request a response depends (RFC 9110 §12.5.5). */
import type { FastifyReply } from 'fastify'

type Header = string | number | string[] | undefined

/** The names of both, each once. */
export const joinVary = (before: Header, added: Header): string => {
  const names = [before ?? [], added ?? []].flatMap(one => String(one).split(','))
  const known = new Map(names.map(name => [name.trim().toLowerCase(), name.trim()]))
  return [...known.values()].filter(Boolean).join(', ')
}

/** Says that the response depends on a header of the request, beside those that were named before. */
export const addVary = (reply: FastifyReply, name: string): FastifyReply => {
  const before = reply.getHeader('vary')
  return reply.header('vary', before === undefined ? name : joinVary(before, name))
}
