import {expect, test} from 'vitest'
import {fingerprint, TeacherProfile} from '../../../../pipelines/core/llm/profile.ts'

const plain = {model: 'm', baseUrl: 'https://api.example.org/v1'}
const printOf = (fields: object) => fingerprint(TeacherProfile.parse({...plain, ...fields}))

test.each([
  {model: 'n'}, {baseUrl: 'https://api.example.org/v2'}, {temperature: 0.6}, {topP: 0.95}, {maxTokens: 100}, {systemPrompt: 'Be brief.'},
  {extraBody: {reasoning_effort: 'high'}},
])('%o changes the fingerprint', (fields) => {
  expect(printOf(fields)).not.toBe(printOf({}))
})

test.each([
  {concurrency: 3}, {requestsPerMinute: 10}, {tokensPerMinute: 10}, {timeoutSeconds: 3}, {idleSeconds: 3}, {maxAttempts: 1}, {apiKeyEnv: 'KEY'}, {stream: false},
  {price: {promptPerMillion: 1, completionPerMillion: 2, currency: 'USD'}}, {expectedCompletionTokens: 7}, {baseUrl: 'https://api.example.org/v1/'},
])('%o leaves the fingerprint as it is', (fields) => {
  expect(printOf(fields)).toBe(printOf({}))
})

test('an unknown key is refused', () => {
  expect(TeacherProfile.safeParse({...plain, temprature: 1}).error?.issues[0]?.message).toContain('temprature')
})
