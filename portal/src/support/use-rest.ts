/** One path of the partner tools for a component, read as whoever is signed in; and changes of what it shows. */
import { useCallback, useEffect, useState } from 'react'
import { useStore } from '../kit/store.ts'
import { accessToken, session } from '../session/session.ts'

interface RestResult<Body> {
  readonly body: Body | undefined
  /** Message of a refusal. */
  readonly fault: string | undefined
  /** Sends a change, and reads again. */
  change(method: 'PATCH', path: string, body: object): Promise<void>
}

const send = async (method: string, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${await accessToken()}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return answer
  throw new Error(answer?.message ?? `${response.status}`)
}

/** The same as a command for a shell. */
export const restCurl = (path: string): string =>
  `curl -s '${location.origin}${path}' -H "authorization: Bearer $TOKEN"`

/** Reads a path, and again after a change and when the person changes. */
export function useRest<Body>(path: string): RestResult<Body> {
  const state = useStore(session)
  const who = state.name === 'signed-in' ? state.who : ''
  const [body, setBody] = useState<Body>()
  const [fault, setFault] = useState<string>()
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = who !== '' && round >= 0
    send('GET', path).then(
      answer => {
        if (!isCurrent) return
        setBody(answer as Body)
        setFault(undefined)
      },
      (error: Error) => isCurrent && setFault(error.message),
    )
    return () => {
      isCurrent = false
    }
  }, [path, who, round])
  const change = useCallback(
    (method: 'PATCH', at: string, given: object) =>
      send(method, at, given).then(
        () => setRound(before => before + 1),
        (error: Error) => setFault(error.message),
      ),
    [],
  )
  return { body, fault, change }
}
