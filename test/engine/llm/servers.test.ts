import {expect} from 'vitest'
import {delta, document, fault, json, lines, stream} from '../../helpers/behaviours.ts'

const answer = {content: 'Answer.'}
const usage = {prompt_tokens: 5, completion_tokens: 2}
const whole = document(answer)

const text = (words: string, reasoning = '') => ({reply: {text: words, reasoning}})
const finished = {reply: {text: 'Answer.', finishReason: 'stop'}}
const long = {reply: {text: 'Answer.', finishReason: 'length'}}
const cut = fault('cut', {scope: 'record'})
const filtered = fault('filtered', {scope: 'record'})

/** The same said whole and streamed. */
function bothWays(
  title: string,
  table: Record<string, {message: object; finish?: unknown; is: object; source?: string}>,
): void {
  const rows = Object.entries(table).flatMap(([name, {message, finish = 'stop', is}]) => [
    [`${name}, whole`, {sent: json(document(message, finish)), is}] as const,
    [`${name}, streamed`, {sent: stream(delta(message), delta({}, finish), '[DONE]'), is}] as const,
  ])
  lines(title, Object.fromEntries(rows))
}

bothWays('a reply is whole only when its end says so', {
  stop: {message: answer, is: finished},
  end_turn: {message: answer, finish: 'end_turn', is: finished},
  length: {message: answer, finish: 'length', is: long},
  MAX_TOKENS: {message: answer, finish: 'MAX_TOKENS', is: long},
  max_tokens: {message: answer, finish: 'max_tokens', is: long},
  model_context_window_exceeded: {message: answer, finish: 'model_context_window_exceeded', is: long},
  abort: {message: answer, finish: 'abort', is: cut},
  cancelled: {message: answer, finish: 'cancelled', is: cut},
  network_error: {message: answer, finish: 'network_error', is: cut},
  insufficient_system_resource: {message: answer, finish: 'insufficient_system_resource', is: cut},
  'a word that nobody knows': {message: answer, finish: 'tired', is: cut},
  'tool_calls, where no tool was offered': {message: answer, finish: 'tool_calls', is: cut},
  sensitive: {message: answer, finish: 'sensitive', is: filtered},
  SAFETY: {message: answer, finish: 'SAFETY', is: filtered},
  content_filter: {message: answer, finish: 'content_filter', is: filtered},
  'an object': {message: answer, finish: {type: 'length', length: 16}, is: long},
})

lines('and streams end in their own ways', {
  'null to the end, then [DONE]': {sent: stream(delta(answer), delta({}), '[DONE]'), is: finished},
  'null to the end, and no [DONE]': {sent: stream(delta(answer), delta({})), is: cut},
  'empty, and no [DONE]': {sent: stream(delta(answer), delta({}, '')), is: cut},
  'stop, then a last piece with an empty reason and usage': {
    sent: stream(delta(answer), delta({}, 'stop'), {...delta({}, ''), usage}, '[DONE]'),
    is: {...finished, estimated: false},
  },
  'an empty reason in every piece': {
    source: 'ollama/ollama#4357, sgl-project/sglang#3912',
    sent: stream(delta({content: 'Ans'}, ''), delta({content: 'wer.'}, ''), delta({}, 'stop'), '[DONE]'),
    is: finished,
  },
  'abort, then [DONE] as if it were whole': {
    source: 'vllm-project/vllm#57082',
    sent: stream(delta({content: 'Ans'}), delta({}, 'abort'), '[DONE]'),
    is: cut,
  },
  'the reason in camel case': {
    source: 'jakobdylanc/llmcord#84',
    sent: stream(delta(answer), {choices: [{index: 0, delta: {}, finish_reason: null, finishReason: 'stop'}]}),
    is: finished,
  },
  'usage beside the reason': {
    source: 'router-for-me/CLIProxyAPI#796',
    sent: stream(delta(answer), {...delta({}, 'stop'), usage}, '[DONE]'),
    is: {...finished, estimated: false},
  },
})

const thought = text('Answer.', 'Thought.')
bothWays('thought stands apart from what is said', {
  think: {message: {content: '<think>Thought.</think>Answer.'}, is: thought},
  thinking: {message: {content: '<thinking>\nThought.\n</thinking>\n\nAnswer.'}, is: thought},
  thought: {message: {content: '<thought>Thought.</thought>Answer.'}, is: thought},
  'seed:think': {message: {content: '<seed:think>Thought.</seed:think>Answer.'}, is: thought},
  THINK: {message: {content: '[THINK]Thought.[/THINK]Answer.'}, is: thought},
  '◁think▷': {message: {content: '◁think▷Thought.◁/think▷Answer.'}, is: thought},
  START_THINKING: {message: {content: '<|START_THINKING|>Thought.<|END_THINKING|>Answer.'}, is: thought},
  channels: {
    message: {
      content:
        '<|channel|>analysis<|message|>Thought.<|end|><|start|>assistant<|channel|>final<|message|>Answer.<|return|>',
    },
    is: {...thought, trimmed: true},
  },
  'a lone end of a form': {message: {content: 'Thought.</seed:think>Answer.'}, is: thought},
  'a field and a left-over end': {message: {content: '</think>\n\nAnswer.', reasoning: 'Thought.'}, is: thought},
  'a field, and more thought before the left-over end': {
    message: {content: 'More.</think>Answer.', reasoning: 'Thought.'},
    is: text('Answer.', 'Thought.\n\nMore.'),
  },
  'a field with tags': {message: {...answer, reasoning_content: '<think>Thought.</think>'}, is: thought},
  'a field that never closes': {message: {...answer, reasoning_content: '<think>\nThought.'}, is: thought},
  'an empty field beside a full one': {message: {...answer, reasoning_content: '', reasoning: 'Thought.'}, is: thought},
  'both fields': {message: {...answer, reasoning_content: 'Thought.', reasoning: 'Thought.'}, is: thought},
  details: {message: {...answer, reasoning_details: [{text: 'Thought.'}]}, is: thought},
  'parts of both kinds': {
    message: {
      content: [
        {type: 'thinking', thinking: [{type: 'text', text: 'Thought.'}]},
        {type: 'text', text: 'Answer.'},
      ],
    },
    is: thought,
  },
  'parts of text': {
    message: {
      content: [
        {type: 'text', text: 'Ans'},
        {type: 'text', text: 'wer.'},
      ],
    },
    is: text('Answer.'),
  },
  '<|im_end|>': {message: {content: 'Answer.<|im_end|>'}, is: {...text('Answer.'), trimmed: true}},
  '<｜end▁of▁sentence｜>': {
    message: {content: 'Answer.\n<｜end▁of▁sentence｜>'},
    is: {...text('Answer.'), trimmed: true},
  },
  'a control token inside the text': {
    message: {content: 'It ends in <|im_end|> there.'},
    is: {...text('It ends in <|im_end|> there.'), trimmed: false},
  },
  'the whole reply in the field': {
    source: 'sgl-project/sglang#4539',
    message: {content: null, reasoning_content: 'Thought.</think>Answer.'},
    is: thought,
  },
})

const events = stream(delta(answer), delta({}, 'stop'), '[DONE]').text
lines('what comes is read by what it is', {
  'a stream called text/plain': {sent: {text: events, type: 'text/plain'}, is: finished},
  'a stream called application/json': {sent: {text: events, type: 'application/json'}, is: finished},
  'a stream without a type': {sent: {text: events, type: ''}, is: finished},
  'a stream called in capitals': {sent: {text: events, type: 'TEXT/EVENT-STREAM'}, is: finished},
  'a document called text/event-stream': {sent: json(whole, 200, 'text/event-stream'), is: finished},
  'a ping': {sent: {text: `event: ping\ndata: {}\n\n${events}`}, is: finished},
  'an empty keep-alive': {sent: {text: `data:\n\n${events}`}, is: finished},
  'a piece with neither choices nor usage': {sent: stream({id: 'x'}, delta(answer, 'stop'), '[DONE]'), is: finished},
  'a byte-order mark before JSON': {sent: {text: `\ufeff${JSON.stringify(whole)}`}, is: finished},
  'a byte-order mark before events': {sent: {text: `\ufeff${events}`}, is: finished},
  'NaN and Infinity': {
    sent: {text: JSON.stringify(whole).replace('{', '{"logprobs": [NaN, -Infinity, "NaN"], ')},
    is: finished,
  },
  'an index as a string': {
    sent: json({
      choices: [
        {index: '1', message: {content: 'No.'}, finish_reason: 'abort'},
        {index: '0', message: answer, finish_reason: 'stop'},
      ],
    }),
    is: finished,
  },
  'events without the empty line between them': {
    source: 'ggml-org/llama.cpp#14268',
    sent: {text: events.replaceAll('\n\n', '\n')},
    is: finished,
  },
  'an end without the empty line behind it': {
    source: 'darshi1337/apogee#139',
    sent: {text: `${stream(delta(answer), delta({})).text}data: [DONE]`},
    is: finished,
  },
  'an empty usage in every piece': {
    source: 'BerriAI/litellm#1371',
    sent: stream({...delta(answer), usage: {}}, delta({}, 'stop'), '[DONE]'),
    is: {...finished, estimated: true},
  },
  'a queue that comments before a document': {sent: {text: `: PROCESSING\n\n${JSON.stringify(whole)}`}, is: finished},
})

const providerLost = {error: {code: 502, message: 'Provider returned error'}}
lines('a routed provider that fails says so under status 200', {
  'an end by error, with the message beside the choices': {
    source: 'damianvtran/local-operator#223',
    sent: stream(delta({content: 'Ans'}), {...providerLost, ...delta({content: ''}, 'error')}, '[DONE]'),
    is: fault('overloaded', {what: expect.stringContaining('Provider returned error') as string}),
  },
  'an end by error, and no message': {
    source: 'openclaw/openclaw#109313',
    sent: stream(delta({content: 'Ans'}), delta({}, 'error'), '[DONE]'),
    is: cut,
  },
  'an error instead of choices, in a whole reply': {
    source: 'xyOz-dev/Saturn#43',
    sent: json(providerLost),
    is: fault('overloaded', {what: expect.stringContaining('Provider returned error') as string}),
  },
  'an end that reads as usual, and the real one in a field of its own': {
    source: 'OleksandrChekhovskyi/hax#15',
    sent: stream(
      delta({content: 'Ans'}),
      {choices: [{index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'network_error'}]},
      '[DONE]',
    ),
    is: cut,
  },
  'a native end that is the own word of a model': {
    sent: stream(
      delta(answer),
      {choices: [{index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'end_turn'}]},
      '[DONE]',
    ),
    is: finished,
  },
})

// Each stage then drops the record as `reply-empty` or `reply-cut-off`.
lines('an answer that is not there stays empty', {
  'all of it in the thought': {
    source: 'ollama/ollama#15288',
    sent: json(document({content: '', reasoning: 'Canberra it is.'})),
    is: text('', 'Canberra it is.'),
  },
  'a thought that meets the limit, and no answer': {
    source: 'vllm-project/vllm#52640',
    sent: json(document({content: null, reasoning: 'The first of'}, 'length')),
    is: {reply: {text: '', finishReason: 'length'}},
  },
  'a thought that meets the limit, in the place of the answer': {
    source: 'jundot/omlx#3796',
    sent: json(document({content: '<think>The first of', reasoning_content: ''}, 'length')),
    is: {reply: {text: '', finishReason: 'length'}},
  },
  'thought beside an empty content in every piece': {
    source: 'anomalyco/opencode#46061',
    sent: stream(
      delta({content: '', reasoning: 'Tho'}),
      delta({content: '', reasoning: 'ught.'}),
      delta(answer, 'stop'),
    ),
    is: thought,
  },
})
