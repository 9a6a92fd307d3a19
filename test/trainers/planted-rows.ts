import {
  assistant,
  dpoRow,
  npu,
  pairs,
  pairs1,
  rows,
  sftRow,
  thought,
  user,
  with1,
  type Planted,
} from './checked-jobs.ts'

const earlier = (text: string) => [...user('a?'), {role: 'assistant', content: text}, ...user('b?')]
const noReasoning = {chosen: assistant('right'), rejected: assistant('wrong')}

/** Faults of rows. */
export const plantedRows: Planted[] = [
  ['a plain text for turns', 'turns-malformed', 'error', {rows: with1({prompt: 'Question?'})}, '1 row (8 0000'],
  ['an assistant who asks', 'turns-malformed', 'error', {rows: with1({prompt: assistant('Question?')})}],
  [
    'a system turn at the end',
    'turns-malformed',
    'error',
    {rows: with1({prompt: [...user('a'), {role: 'system', content: 'b'}]})},
  ],
  ['a turn without words', 'turns-malformed', 'error', {rows: with1({prompt: [{role: 'user', content: null}]})}],
  ['no turn at all', 'turns-malformed', 'error', {rows: with1({prompt: []})}],
  [
    'two replies in one',
    'turns-malformed',
    'error',
    {rows: with1({completion: [...assistant(thought('a')), ...assistant('b')]})},
  ],
  ['a reply of the user', 'turns-malformed', 'error', {rows: with1({completion: user(thought('a'))})}],
  [
    'several turns for a flat form',
    'turns-lost',
    'error',
    {set: {engine: 'mindspeed-llm'}, rows: with1({prompt: earlier('a')}), facts: {probe: npu.probe, keys: []}},
    'mindspeed-llm only keeps the first',
  ],
  ['an empty prompt', 'prompt-empty', 'error', {rows: with1({prompt: user(' \n')})}],
  [
    'thought without answer',
    'reply-empty',
    'error',
    {rows: with1({completion: assistant('<think>\na\n</think>\n\n')})},
  ],
  ['a row twice', 'rows-repeated', 'warning', {rows: [...rows(8), sftRow(3)]}],

  [
    'a second closing tag',
    'think-malformed',
    'error',
    {rows: with1({completion: assistant('<think>\nx </think> y\n</think>\n\na')})},
  ],
  ['no opening tag', 'think-malformed', 'error', {rows: with1({completion: assistant('x\n</think>\n\na')})}],
  ['no closing tag', 'think-malformed', 'error', {rows: with1({completion: assistant('<think>\nx\n\na')})}],
  ['tags the wrong way round', 'think-malformed', 'error', {rows: with1({completion: assistant('</think>x<think>')})}],
  [
    'a block behind the answer',
    'think-malformed',
    'error',
    {rows: with1({completion: assistant('a <think>\nx\n</think>')})},
  ],
  [
    'no reasoning for a thinking model',
    'think-missing',
    'error',
    {rows: with1({completion: assistant('a')})},
    '13 % of all',
  ],
  [
    'an empty block',
    'think-missing',
    'error',
    {rows: with1({completion: assistant('<think>\n\n</think>\n\na')})},
    'the model learns not to think',
  ],
  ['pairs without reasoning', 'think-missing', 'note', {name: 'starter-dpo', rows: pairs1(noReasoning)}],
  ['tags for a model without them', 'think-as-text', 'warning', {set: {'model.thinking': 'false'}, tokenizer: false}],
  [
    'reasoning on one side',
    'think-one-sided',
    'error',
    {name: 'starter-dpo', rows: pairs1({rejected: assistant('wrong')})},
  ],
  ['thought in an earlier turn', 'think-in-history', 'warning', {rows: with1({prompt: earlier(thought('a'))})}],

  [
    'the end of a turn in a text',
    'control-token',
    'error',
    {rows: with1({completion: assistant(thought('a<|im_end|>'))})},
    '<|im_end|>',
  ],
  [
    'a control token in a question',
    'control-token',
    'error',
    {tokenizer: false, rows: with1({prompt: user('a<|im_start|>')})},
  ],
  [
    'a control token of this model',
    'control-token',
    'error',
    {rows: with1({completion: assistant(thought('a<|fim_prefix|>'))})},
  ],

  [
    'a row longer than the cut',
    'rows-cut',
    'error',
    {set: {'hyperparameters.maxLength': '64'}, rows: with1({completion: assistant(thought('b', 'word '.repeat(200)))})},
    '1 would lose `</think>`, 0 would lose the whole reply',
  ],
  [
    'a question longer than the cut',
    'rows-cut',
    'error',
    {set: {'hyperparameters.maxLength': '64'}, rows: with1({prompt: user('word '.repeat(40))})},
    '1 would lose the whole reply',
  ],
  [
    'a longer rejected reply',
    'rows-cut',
    'error',
    {
      name: 'starter-dpo',
      set: {'hyperparameters.maxLength': '64'},
      rows: pairs1({rejected: assistant(thought('w'.repeat(900)))}),
    },
  ],
  [
    'a row near the cut, by estimate',
    'lengths-near-limit',
    'warning',
    {
      tokenizer: false,
      set: {'hyperparameters.maxLength': '110'},
      rows: with1({completion: assistant(thought(' word'.repeat(70)))}),
    },
  ],
  ['no tokenizer', 'lengths-estimated', 'warning', {tokenizer: false}, 'are estimated'],

  ['a base model without template', 'template-missing', 'error', {template: 'none'}],
  [
    'a template without thinking',
    'thinking-differs',
    'warning',
    {template: '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}'},
    'has no think blocks',
  ],
  [
    'a thinking template for a model said not to',
    'thinking-differs',
    'warning',
    {set: {'model.thinking': 'false'}},
    '--set model.thinking=true',
  ],
  [
    'a template that drops reasoning',
    'template-drops-text',
    'error',
    {
      template:
        "{# <think> #}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content.split('</think>')[-1] }}<|im_end|>\n{% endfor %}",
    },
    'reasoning',
  ],
  [
    'a template that drops the answer',
    'template-drops-text',
    'error',
    {
      template:
        '{# <think> #}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content[:30] }}<|im_end|>\n{% endfor %}',
    },
  ],

  [
    'two sides alike',
    'sides-equal',
    'error',
    {name: 'starter-dpo', rows: pairs1({rejected: assistant(thought('right 7'))})},
  ],
  [
    'code that differs in comments',
    'sides-same-code',
    'error',
    {
      name: 'starter-dpo',
      rows: pairs1({
        chosen: assistant(thought('```cpp\nint a = 1; // one\n```', 'b')),
        rejected: assistant(thought('```cpp\nint  a = 1;\n```', 'c')),
      }),
    },
  ],
  [
    'labels the wrong way round',
    'labels-reversed',
    'error',
    {name: 'starter-dpo', rows: pairs1({chosen_label: 'orange', rejected_label: 'green'})},
  ],
  ['labels alike', 'labels-reversed', 'error', {name: 'starter-dpo', rows: pairs1({rejected_label: 'green'})}],
  [
    'a label that is none',
    'labels-reversed',
    'error',
    {name: 'starter-dpo', rows: pairs1({chosen_label: 'infra_error'})},
  ],
  [
    'the longer is always the better',
    'length-tells',
    'warning',
    {name: 'starter-dpo', rows: pairs(8, {chosen: assistant(thought('right '.repeat(9)))})},
    '100 % of the pairs the chosen',
  ],
  [
    'the shorter is always the better',
    'length-tells',
    'warning',
    {name: 'starter-dpo', rows: pairs(8, {rejected: assistant(thought('wrong '.repeat(9)))})},
    'the rejected',
  ],
  [
    'pairs seen too often',
    'pairs-repeated',
    'warning',
    {name: 'starter-dpo', set: {'hyperparameters.steps': '13'}, rows: pairs(8)},
    '26 visits (steps × global batch) to 8 pairs: each is seen 3.3 times',
  ],
  [
    'one task above all',
    'task-dominates',
    'warning',
    {name: 'starter-dpo', rows: [...pairs(7), dpoRow(7, {task: 'task 0'})]},
    '2 of 8 pairs',
  ],
  [
    'replies that no model wrote',
    'pairs-off-policy',
    'note',
    {name: 'starter-dpo', rows: pairs1({chosen_sampler: 'answer'})},
  ],
  [
    'pairs of small edits',
    'pairs-close',
    'note',
    {name: 'starter-dpo', rows: pairs(8, {changed_lines: 2})},
    '100 % of the pairs',
  ],
]
