import {expect, test} from 'vitest'
import {probeEndpoint} from '../../../engine/llm/probe-endpoint.ts'
import {TeacherProfile} from '../../../engine/llm/profile.ts'

const profile = (more: object = {}) => TeacherProfile.parse({model: 'm', baseUrl: 'http://h.example/v1', ...more})

interface Asked {
  url: string
  headers: Headers
}

async function probe(answer: () => Response | Promise<Response>, {more = {}, env = {}} = {}) {
  const asked: Asked[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push({url, headers: new Headers(init.headers)})
    return answer()
  }) as typeof globalThis.fetch
  const problem = await probeEndpoint(profile(more), {env, signal: new AbortController().signal, fetch})
  return {problem, asked}
}

const list =
  (...ids: unknown[]) =>
  () =>
    Response.json({data: ids.map((id) => ({id}))})

test('an endpoint that lists the model has no problem', async () => {
  const {problem, asked} = await probe(list('a', 'm'))
  expect(problem).toBeUndefined()
  expect(asked.map(({url, headers}) => [url, headers.get('authorization')])).toEqual([
    ['http://h.example/v1/models', null],
  ])
})

test('one that has no list tells nothing', async () => {
  for (const answer of [
    () => new Response('', {status: 404}),
    () => new Response('', {status: 500}),
    () => new Response('no JSON'),
    () => Response.json({data: []}),
    () => Response.json({data: 'x'}),
    () => Response.json(null),
    () => Response.json({models: []}),
    list(3, null),
    () => Response.json({data: [null, 'x', {name: 'y'}]}),
  ])
    expect((await probe(answer)).problem).toBeUndefined()
})

test('one that does not list it tells eight that it has', async () => {
  const names = Array.from({length: 9}, (_, at) => `n${at}`)
  expect((await probe(list(...names))).problem).toEqual({
    kind: 'model-unknown',
    what: 'it does not list the model m',
    fix: 'Use one of n0, n1, n2, n3, n4, n5, n6, n7.',
  })
})

test('keys are sent, and are asked for where they are missing or refused', async () => {
  const more = {apiKeyEnv: 'MY_KEY'}
  const {asked} = await probe(list('m'), {more, env: {MY_KEY: ' secret-key-1 '}})
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer secret-key-1')
  for (const env of [{}, {MY_KEY: ''}, {MY_KEY: '  '}])
    expect(await probe(list('m'), {more, env})).toEqual({
      problem: {kind: 'key-missing', what: 'the environment variable MY_KEY is not set', fix: 'Set MY_KEY.'},
      asked: [],
    })
  for (const status of [401, 403])
    expect((await probe(() => new Response('', {status}), {more, env: {MY_KEY: 'k'}})).problem).toEqual({
      kind: 'key-refused',
      what: `it refuses the key (${status})`,
      fix: 'Check the key in MY_KEY.',
    })
  expect((await probe(() => new Response('', {status: 401}))).problem?.fix).toBe('Check the key in the configuration.')
})

test('one that cannot be reached is told with the deepest cause, without the key', async () => {
  const cause = new Error('connect ECONNREFUSED with secret-key-1')
  const answer = () => Promise.reject(new TypeError('fetch failed', {cause}))
  expect((await probe(answer, {more: {apiKeyEnv: 'MY_KEY'}, env: {MY_KEY: 'secret-key-1'}})).problem).toEqual({
    kind: 'unreachable',
    what: 'it does not answer (connect ECONNREFUSED with [key hidden])',
    fix: 'Start the server, or check baseUrl and the network connection.',
  })
})
