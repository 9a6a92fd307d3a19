import {describe, expect, test} from 'vitest'
import {chatClient} from '../../../engine/llm/client.ts'
import {delta, event, fault, json, lines, outcomeOf, refused, type Behaviour} from '../../helpers/behaviours.ts'
import {ask, chatServer, profileFor, type ProfileFields} from '../../helpers/teacher.ts'

const error = (message: string, more: object = {}) => ({error: {message, ...more}})
lines('the words of the server reach the user', {
  object: {sent: json({object: 'error', message: 'Bad luck'}, 400), is: refused('refused', 'record', 'Bad luck')},
  detail: {sent: json({detail: 'Bad luck'}, 400), is: refused('refused', 'record', '(400): Bad luck')},
  'detail of a validator': {
    sent: json({detail: [{loc: ['body', 'x'], msg: 'Field required', type: 'missing', input: {a: 'prompt'}}]}, 422),
    is: refused('parameter', 'record', '(422): Field required'),
  },
  'text under error': {sent: json({error: 'Bad luck'}, 400), is: refused('refused', 'record', '(400): Bad luck')},
  'an array': {sent: json([error('Bad luck', {code: 400})], 400), is: refused('refused', 'record', 'Bad luck')},
  'error_code and error_msg': {
    sent: json({error_code: 17, error_msg: 'Bad luck'}, 400),
    is: refused('refused', 'record', '(400): Bad luck, 17'),
  },
  'JSON within JSON': {
    sent: json(error('Provider returned error', {metadata: {raw: '{"error":{"message":"Bad luck"}}'}}), 400),
    is: refused('refused', 'record', 'Provider returned error; Bad luck'),
  },
  'a page of a proxy': {
    sent: {text: '<html><head><title>x</title></head><body><h1>502 Bad Gateway</h1></body></html>', status: 502},
    is: fault('overloaded', {what: 'the endpoint failed with 502: 502 Bad Gateway'}),
  },
  nothing: {sent: {text: '', status: 400}, is: refused('refused', 'record', '(400), without a message')},
  'any other JSON': {sent: json({oh: {no: 1}}, 400), is: refused('refused', 'record', '{"oh":{"no":1}}')},
  '429 too': {
    source: 'yilewang/llm-for-zotero#17',
    sent: json(error('您的账户已达到速率限制，请您控制请求频率', {code: '1302'}), 429),
    is: fault('rate-limited', {what: expect.stringContaining('请您控制请求频率, 1302') as string}),
  },
  'an error beside empty choices': {
    sent: json({choices: [], ...error('engine died', {code: 500})}),
    is: fault('overloaded', {what: expect.stringContaining('engine died') as string}),
  },
  'an error beside choices of null': {
    sent: json({choices: null, ...error('Insufficient Balance', {code: 402})}),
    is: refused('credit', 'run', 'Insufficient Balance'),
  },
  'an error in a field of that name': {
    source: 'ggml-org/llama.cpp#16109',
    sent: {
      text: 'error: {"code":400,"message":"the request exceeds the available context size"}\n\ndata: [DONE]\n\n',
      type: 'text/event-stream',
    },
    is: refused('fit', 'record', 'exceeds the available context size'),
  },
  'an event of that name': {
    sent: {text: `${event(delta({content: 'Ans'}))}event: error\ndata: {"message": "engine died"}\n\n`},
    is: fault('overloaded', {what: expect.stringContaining('engine died') as string}),
  },
  'a line of JSON amid the events': {
    sent: {text: `${event(delta({content: 'Ans'}))}{"error":"engine died"}\n\n`},
    is: fault('overloaded', {what: expect.stringContaining('engine died') as string}),
  },
  'base_resp without credit': {
    sent: json({base_resp: {status_code: 1008, status_msg: 'insufficient balance'}}),
    is: refused('credit', 'run', 'insufficient balance, 1008'),
  },
  'base_resp with a key that is wrong': {
    sent: json({choices: null, base_resp: {status_code: 1004, status_msg: 'login fail: check the secret key'}}),
    is: refused('key', 'run', 'login fail'),
  },
  'base_resp with a limit': {
    sent: json({base_resp: {status_code: 1002, status_msg: 'rate limit exceeded'}}),
    is: fault('rate-limited'),
  },
  'base_resp that withholds': {
    sent: json({choices: [], base_resp: {status_code: 1027, status_msg: 'output new_sensitive'}}),
    is: refused('filter', 'record', 'output new_sensitive'),
  },
})

const refusal = (words: string, status: number, is: object, source?: string): Behaviour => ({
  sent: json(error(words), status),
  is,
  ...(source === undefined ? {} : {source}),
})
const unfit = refused('fit', 'record', 'does not fit the model')
lines('what does not fit is told so', {
  vllm: refusal("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", 400, unfit),
  'vllm, of the prompt': refusal(
    'The decoder prompt (length 9000) is longer than the maximum model length',
    400,
    unfit,
  ),
  'vllm, of the limit': refusal('max_tokens or max_completion_tokens is too large: 9000.', 400, unfit),
  sglang: refusal("The input (9000 tokens) is longer than the model's context length (8192 tokens).", 400, unfit),
  'llama.cpp': refusal('the request exceeds the available context size, try increasing it', 400, unfit),
  'llama.cpp as 500': refusal('Context size has been exceeded.', 500, unfit),
  dashscope: refusal(
    '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]',
    400,
    unfit,
    'QwenLM/qwen-code#98',
  ),
  gemini: refusal('The input token count (9) exceeds the maximum number of tokens allowed (8).', 400, unfit),
  zhipu: {sent: json(error('Prompt 超长', {code: '1261'}), 400), is: unfit},
  moonshot: refusal('Invalid request: Your request exceeded model token limit: 8192', 400, unfit),
  deepseek: refusal('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 400, unfit),
  'a limit per minute that one request passes': refusal(
    'Request too large for m on tokens per min (TPM): Limit 10000, Requested 20000.',
    429,
    unfit,
  ),
  'but not many tokens of many requests': refusal('Too many tokens, please wait', 429, fault('rate-limited')),
})

const poor = refused('credit', 'run', 'no credit left')
const locked = refused('key', 'run', 'the key was refused')
lines('what stops the run is told so', {
  'zhipu without credit': {
    source: 'langgenius/dify#5850',
    sent: json(error('您的账户已欠费，请充值后重试。', {code: '1113'}), 429),
    is: poor,
  },
  'zhipu without a package': refusal('余额不足或无可用资源包,请充值。', 429, poor, 'continuedev/continue#11823'),
  'dashscope without credit': {
    sent: json({code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.'}, 400),
    is: poor,
  },
  siliconflow: {sent: json({code: 30001, message: 'Sorry, your account balance is insufficient'}, 403), is: poor},
  moonshot: {sent: json(error('Your account is suspended', {type: 'exceeded_current_quota_error'}), 429), is: poor},
  'gemini, by the minute': refusal(
    'You exceeded your current quota, please check your plan',
    429,
    fault('rate-limited'),
  ),
  'gemini with a bad key': {
    sent: json(
      [error('API key not valid. Please pass a valid API key.', {code: 400, status: 'INVALID_ARGUMENT'})],
      400,
    ),
    is: locked,
  },
  '401': refusal('who are you', 401, locked),
  '403': refusal('no', 403, locked),
  '405': refusal('Method Not Allowed', 405, refused('address', 'run', 'no such model or address (405)')),
  'zhipu without the model': refusal('模型不存在，请检查模型代码。', 400, refused('address', 'run')),
})

const withheld = refused('filter', 'record', "the endpoint's content filter refused the request")
lines('what is withheld is told so', {
  azure: {sent: json(error('The response was filtered', {code: 'content_filter'}), 400), is: withheld},
  dashscope: {sent: json({code: 'data_inspection_failed', message: 'Input data may contain'}, 400), is: withheld},
  deepseek: refusal('Content Exists Risk', 400, withheld, 'deepseek-ai/awesome-deepseek-integration#13'),
  'deepseek, as detail': {
    source: 'deepseek-ai/DeepSeek-V2#30',
    sent: json({detail: 'Content Exists Risk'}, 400),
    is: withheld,
  },
  zhipu: {sent: json(error('系统检测到输入或生成内容可能包含不安全或敏感内容', {code: '1301'}), 400), is: withheld},
  'but not what is case-sensitive': refusal('names are case-sensitive', 400, refused('refused', 'record')),
})

describe('what a server does not take', () => {
  const sampled: ProfileFields = {temperature: 0.6, topP: 0.9, systemPrompt: 'Be brief.'}
  const user = {role: 'user', content: 'How large is a tile?'}
  const joined = [{role: 'user', content: 'Be brief.\n\nHow large is a tile?'}]
  const all = [{role: 'system', content: 'Be brief.'}, user]
  test.each<[source: string, words: string, offends: string, then: object, without: string]>([
    [
      'openai',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      {max_completion_tokens: 200},
      'max_tokens',
    ],
    [
      'openai',
      "Unsupported value: 'temperature' does not support 0.6 with this model. Only the default (1) value is supported.",
      'temperature',
      {top_p: 0.9},
      'temperature',
    ],
    [
      'HKUDS/nanobot#202',
      'invalid temperature: only 1 is allowed for this model',
      'temperature',
      {top_p: 0.9},
      'temperature',
    ],
    [
      'one of two',
      '`temperature` and `top_p` cannot both be specified for this model.',
      'top_p',
      {temperature: 0.6},
      'top_p',
    ],
    [
      'azure',
      'Unrecognized request argument supplied: stream_options',
      'stream_options',
      {stream: true},
      'stream_options',
    ],
    ['gemma', 'System role not supported', 'system', {messages: joined}, 'system'],
    [
      'gemini',
      'Developer instruction is not enabled for models/gemma-3-27b-it',
      'system',
      {messages: joined},
      'system',
    ],
    [
      'microsoft/autogen#1037',
      'Conversation roles must alternate user/assistant/user/assistant/...',
      'system',
      {messages: joined},
      'system',
    ],
  ])('%s: %s', async (_, words, offends, then, without) => {
    const server = await chatServer(({body}) =>
      offends in body || (offends === 'system' && body.messages[0]?.role === 'system')
        ? {kind: 'status', status: offends === 'system' ? 500 : 400, body: {object: 'error', message: words}}
        : undefined,
    )
    const said: string[] = []
    const client = chatClient(profileFor(server.url, sampled), {
      apiKey: undefined,
      fetch,
      now: () => 0,
      say: (message) => said.push(message),
    })
    expect((await client.attempt(ask(user.content))).outcome).toBe('replied')
    expect((await client.attempt(ask(user.content))).outcome).toBe('replied')
    const bodies = server.served.map(({body}) => body)
    expect(bodies).toHaveLength(3)
    expect(bodies[0]).toMatchObject({messages: all, temperature: 0.6, top_p: 0.9, max_tokens: 200})
    for (const body of bodies.slice(1)) {
      expect(body).toMatchObject(then)
      expect(body).not.toHaveProperty(without)
    }
    expect(said).toEqual([expect.stringContaining(words.slice(0, 30))])
  })

  test.each([
    ['is a value out of its range', 'temperature must be between 0 and 0.5', 'refused'],
    ['is not sent', 'logit_bias is not supported', 'parameter'],
    ['is larger than the model takes', 'max_tokens is too large: this model supports at most 128', 'fit'],
    ['is what the profile asks for', 'parameter.enable_thinking must be set to false', 'refused'],
  ])('stays where it %s: the user is told', async (_, words, refusalNamed) => {
    const outcome = await outcomeOf(json(error(words), 400), sampled)
    expect(outcome).toMatchObject(refused(refusalNamed, 'record', words))
    expect(outcome.served).toHaveLength(1)
    expect(outcome.said).toEqual([])
  })

  test.each([
    [500, 'invalid response from upstream'],
    [502, 'streaming is not supported by the upstream that answers now'],
    [503, 'the system is busy: only short messages are allowed'],
  ])('is not what a gateway in trouble says (%i)', async (status, words) => {
    const outcome = await outcomeOf(json(error(words), status), {...sampled, stream: true})
    expect(outcome).toMatchObject(fault('overloaded'))
    expect(outcome.served).toHaveLength(1)
    expect(outcome.said).toEqual([])
  })
})
