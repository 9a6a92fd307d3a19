import {useEffect, useState} from 'preact/hooks'
import {embedded} from './embedded.ts'

/** Given at the start, in the address. */
export const token = new URLSearchParams(location.search).get('token') ?? ''

/** @throws Error with the server's words when it refuses */
export async function ask<T>(path: string, body?: object): Promise<T> {
  if (embedded) return fromReport(path)
  const response = await fetch(path, {
    method: body ? 'POST' : 'GET',
    headers: {authorization: `Bearer ${token}`, ...(body && {'content-type': 'application/json'})},
    ...(body && {body: JSON.stringify(body)}),
  })
  const answer = (await response.json()) as T & {error?: {message: string; fix: string}}
  if (answer.error) throw new Error(`${answer.error.message} ${answer.error.fix}`)
  return answer
}

function fromReport<T>(path: string): T {
  const answer = embedded?.answers[path]
  if (answer === undefined)
    throw new Error('This report has one sample of everything; `ascend-cot view` shows the rest.')
  return answer as T
}

/** Whether something can answer at a path: a report has few of those that are asked for on demand. */
export const canAnswer = (path: string) => !embedded || path in embedded.answers

interface Asked<T> {
  value?: T
  error?: string
}

/** What the server says at a path; asked again every `seconds`, if given. Nothing while `path` is undefined. */
export function useAnswer<T>(path: string | undefined, seconds?: number): Asked<T> {
  const [asked, setAsked] = useState<Asked<T> & {path?: string}>({})
  useEffect(() => {
    if (path === undefined) return
    let [ended, timer] = [false, 0]
    const look = async () => {
      const next = await ask<T>(path).then(
        (value) => ({value}),
        (error: Error) => ({error: error.message}),
      )
      if (ended) return
      setAsked({...next, path})
      if (seconds !== undefined && !embedded) timer = setTimeout(look, seconds * 1000) as unknown as number
    }
    void look()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [path, seconds])
  return asked.path === path ? asked : {}
}
