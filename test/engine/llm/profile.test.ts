import {expect, test} from 'vitest'
import {fingerprint, TeacherProfile} from '../../../engine/llm/profile.ts'

const plain = {model: 'm', baseUrl: 'https://api.example.org/v1'}
const printOf = (fields: object) => fingerprint(TeacherProfile.parse({...plain, ...fields}))

test.each([
  {model: 'n'},
  {baseUrl: 'https://api.example.org/v2'},
  {temperature: 0.6},
  {topP: 0.95},
  {maxTokens: 100},
  {systemPrompt: 'Be brief.'},
  {extraBody: {reasoning_effort: 'high'}},
])('%o changes the fingerprint', (fields) => {
  expect(printOf(fields)).not.toBe(printOf({}))
})

test.each([
  {concurrency: 3},
  {requestsPerMinute: 10},
  {tokensPerMinute: 10},
  {timeoutSeconds: 3},
  {idleSeconds: 3},
  {maxAttempts: 1},
  {apiKeyEnv: 'KEY'},
  {stream: false},
  {price: {promptPerMillion: 1, completionPerMillion: 2, currency: 'USD'}},
  {expectedCompletionTokens: 7},
  {baseUrl: 'https://api.example.org/v1/'},
  // What examples for curl print, as in harry0703/MoneyPrinterTurbo#57.
  {baseUrl: 'https://api.example.org/v1/chat/completions'},
  {baseUrl: 'https://api.example.org/v1/chat/completions/'},
])('%o leaves the fingerprint as it is', (fields) => {
  expect(printOf(fields)).toBe(printOf({}))
})

test('an unknown key is refused', () => {
  expect(TeacherProfile.safeParse({...plain, temprature: 1}).error?.issues[0]?.message).toContain('temprature')
})

const issues = (fields: object) => TeacherProfile.safeParse({...plain, ...fields}).error?.issues ?? []

test.each([
  'https://me:pass-word-123@api.example.org/v1',
  'https://me@api.example.org/v1',
  'https://:pass-word-123@api.example.org/v1',
  'https://api.example.org/v1?key=pass-word-123',
  'https://api.example.org/v1#pass-word-123',
])('a base URL that holds a key is refused without repeating it: %s', (baseUrl) => {
  const [issue, ...more] = issues({baseUrl})
  expect(more).toEqual([])
  expect(issue).toMatchObject({path: ['baseUrl'], message: expect.stringContaining('apiKeyEnv')})
  expect(JSON.stringify(issue)).not.toContain('pass-word')
})

test.each(['http://127.0.0.1:8000/v1', 'https://api.example.org/v1/', 'https://host/openai/deployments/r1@2/v1'])(
  '%s is a base URL',
  (baseUrl) => {
    expect(issues({baseUrl})).toEqual([])
  },
)

test('what is no URL is refused once', () => {
  expect(issues({baseUrl: 'api.example.org/v1'})).toHaveLength(1)
})

test.each([
  'sk-0123456789abcdef',
  'gsk_0123456789abcdefghij',
  'hf_AbCdEf0123456789AbCd',
  'AIza0123456789abcdefghi',
  'two words',
  '',
])("a key in place of its variable's name is refused without repeating it: %s", (apiKeyEnv) => {
  const [issue] = issues({apiKeyEnv})
  expect(issue).toMatchObject({
    path: ['apiKeyEnv'],
    message: expect.stringContaining('expected the name of an environment variable'),
  })
  expect(JSON.stringify(issue)).not.toContain('0123456789')
})

test.each(['DEEPSEEK_API_KEY', 'key', 'AZUREOPENAIKEY2024', '_K2'])('%s is the name of a variable', (apiKeyEnv) => {
  expect(issues({apiKeyEnv})).toEqual([])
})
