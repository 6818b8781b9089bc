/** Multipart responses as a client reads them, part by part. */

/** Reads the parts of a response whose boundary is `-`. */
export async function* readParts(response: Response): AsyncGenerator<Record<string, unknown>> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\r\n---'); end >= 0; end = text.indexOf('\r\n---')) {
      const part = text.slice(0, end)
      text = text.slice(end + 5)
      const body = part.indexOf('\r\n\r\n')
      if (body < 0) continue
      if (!part.startsWith('\r\ncontent-type: application/json; charset=utf-8\r\n'))
        throw new Error(`Not a part: ${part}`)
      yield JSON.parse(part.slice(body + 4))
    }
  }
  if (text !== '--\r\n') throw new Error(`No closing delimiter: ${JSON.stringify(text)}`)
}

export async function partsOf(response: Response): Promise<Record<string, unknown>[]> {
  const parts: Record<string, unknown>[] = []
  for await (const part of readParts(response)) parts.push(part)
  return parts
}
