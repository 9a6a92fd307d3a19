import {describe, expect, test} from 'vitest'
import {chatClient} from '../../engine/llm/client.ts'
import {ask, chatServer, profileFor, type ProfileFields} from './teacher.ts'

/** What servers have been seen to do, each line as bytes from a server on loopback through the client. */
export interface Behaviour {
  /** The thread of a public tracker where it was seen. */
  source?: string
  sent: Sent
  /** Of the reply or the fault. */
  is: object
  fields?: ProfileFields
}
type Sent = {text: string; type?: string; status?: number}

export const json = (value: unknown, status = 200, type = 'application/json'): Sent => ({
  text: JSON.stringify(value),
  status,
  type,
})
export const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`
export const stream = (...pieces: unknown[]): Sent => ({text: pieces.map(event).join(''), type: 'text/event-stream'})
export const delta = (words: object, finish_reason: unknown = null) => ({
  choices: [{index: 0, delta: words, finish_reason}],
})
export const document = (message: object, finish_reason: unknown = 'stop') => ({
  choices: [{index: 0, message, finish_reason}],
})
export const fault = (kind: string, more: object = {}) => ({fault: {kind, ...more}})
export const refused = (refusal: string, scope: string, what = '') =>
  fault(refusal === 'filter' ? 'filtered' : 'rejected', {
    scope,
    evidence: {refusal},
    what: expect.stringContaining(what) as string,
  })

export async function outcomeOf(sent: Sent, fields: ProfileFields = {}) {
  const {text: page, type, status} = sent
  const server = await chatServer(() => ({
    kind: 'page',
    text: page,
    ...(type === undefined ? {} : {type}),
    ...(status === undefined ? {} : {status}),
  }))
  const said: string[] = []
  const client = chatClient(profileFor(server.url, fields), {
    apiKey: undefined,
    fetch,
    now: () => 0,
    say: (message) => said.push(message),
  })
  return {...(await client.attempt(ask('How large is a tile?'))), said, served: server.served}
}

export function lines(title: string, table: Record<string, Behaviour>): void {
  describe(title, () => {
    test.each(Object.entries(table))('%s', async (_, {sent, is, fields}) => {
      expect(await outcomeOf(sent, fields)).toMatchObject(is)
    })
  })
}
