import {expect, test} from 'vitest'
import type {Ask} from '../../../../pipelines/documentation/offline/ask.ts'
import type {Base} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {argumentsOf} from '../../../../pipelines/documentation/offline/calls.ts'
import {chinese} from '../../../../pipelines/documentation/offline/chinese/chinese-writers.ts'
import {english} from '../../../../pipelines/documentation/offline/english/english-writers.ts'
import type {CheckAsk} from '../../../../pipelines/documentation/offline/kinds/check-ask.ts'
import type {ConstraintsAsk, Rule} from '../../../../pipelines/documentation/offline/kinds/constraints-ask.ts'
import type {ExampleAsk} from '../../../../pipelines/documentation/offline/kinds/example-ask.ts'
import {formsAsk} from '../../../../pipelines/documentation/offline/kinds/forms-ask.ts'
import type {NeedAsk} from '../../../../pipelines/documentation/offline/kinds/need-ask.ts'
import type {ParameterAsk} from '../../../../pipelines/documentation/offline/kinds/parameter-ask.ts'
import type {TopicAsk, TopicCodeAsk} from '../../../../pipelines/documentation/offline/kinds/topic-ask.ts'
import {write} from '../../../../pipelines/documentation/offline/writers.ts'
import type {ParameterFact} from '../../../../pipelines/documentation/parameter-table.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {golden} from '../../../helpers/golden.ts'
import {none} from '../../../helpers/page-facts.ts'

const base: Base = {api: 'Move', subject: {kind: 'api'}, hasNeed: false}
const declared = readPrototypes

const fact = (name: string, part: Partial<ParameterFact> = {}): ParameterFact => ({
  name,
  names: [name],
  direction: 'input',
  meaning: [`the ${name}.`],
  choices: [],
  unread: [],
  structure: '',
  ...part,
})
const choices = [
  {name: 'FAST', text: 'Moves at once.'},
  {name: 'SLOW', text: 'Moves in steps.'},
]

const checks: CheckAsk['checks'][] = [
  [{rule: 'type', of: 'tensor', asked: 'float', supported: ['half', 'int8_t']}],
  [{rule: 'type', of: 'template', asked: 'half', supported: ['half']}],
  [{rule: 'type', of: 'template', asked: 'float', supported: ['half']}],
  [{rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 33, unitBytes: 32}],
  [{rule: 'amount', dtype: 'int8_t', dtypeBytes: 1, count: 9, unitBytes: 32}],
  [{rule: 'amount', dtype: 'half', dtypeBytes: 2, count: 32, unitBytes: 32}],
  [
    {rule: 'type', of: 'tensor', asked: 'half', supported: ['half', 'float']},
    {rule: 'range', name: 'gap', value: 18, low: 0, high: 15},
    {rule: 'width', name: 'repeatTime', value: 300, bits: 8, most: 255},
  ],
  [
    {rule: 'range', name: 'gap', value: 15, low: 0, high: 15},
    {rule: 'width', name: 'count', value: 300, bits: 8, most: 255},
  ],
  [
    {rule: 'range', name: 'gap', value: 3, low: 0, high: 15},
    {rule: 'width', name: 'repeatTime', value: 255, bits: 8, most: 255},
  ],
  [
    {rule: 'range', name: 'gap', value: 16, low: 0, high: 15},
    {rule: 'width', name: 'repeatTime', value: 510, bits: 8, most: 255},
  ],
]

function forms(code: string, facts: ParameterFact[] = [], part: Partial<Facts> = {}): Ask[] {
  const own: Facts = {
    ...none,
    prototypes: declared(code),
    uses: declared(code).map(() => ''),
    parameters: facts,
    ...part,
  }
  const asks = formsAsk(own, own, base)
  expect(asks).toHaveLength(1)
  return asks
}

const tensors =
  'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t count = 8);'
const two = 'void Move(int a, int b);\nvoid Move(int a, float c = 1, float d = 2);'
const formsAsked: Ask[][] = [
  forms(tensors),
  forms(tensors, [
    fact('dst', {direction: 'output'}),
    fact('src'),
    fact('count', {direction: 'both', meaning: ['the count, range [0, 9].']}),
    fact('T', {direction: '', meaning: ['the type.']}),
  ]),
  forms(
    'template <typename T, int mode, bool isSet = true, int n = 2> int Move(const LocalTensor<T>& ' +
      'dst, const MoveParams& params);',
    [
      fact('dst', {direction: 'output'}),
      fact('params', {direction: '', choices}),
      fact('gap', {structure: 'MoveParams', choices}),
      fact('isSet', {meaning: ['reserved.']}),
    ],
  ),
  forms('template <int mode> void Move();'),
  forms('template <int mode = 1, int n = 2> Move(int only);'),
  forms(two),
  forms(two, [fact('a', {direction: 'output'}), fact('b'), fact('c', {direction: ''}), fact('d')], {
    said: {prototype: ['A note. ']},
  }),
  forms(two, [], {uses: ['for integers', 'for floats']}),
  forms('void Move(int a, int b);\nvoid Copy(int a, int b);\nvoid Copy(int a);'),
  forms('void Move(int a, int b);\nvoid Move(float a, int b);'),
  forms('void Move(int a, int b);\nvoid Move(float a, float b);\nvoid Move();', [], {uses: ['x', 'x', '']}),
  forms('template <int n> void Move(int a);\ntemplate <int m> void Move(int a);'),
  forms('void Move(int a);\nvoid Move(float a);', [], {uses: ['for integers', '']}),
]

const operand = (
  name: string,
  direction: 'input' | 'output' | 'both',
  memory: 'local' | 'global' | 'either' | '' = 'local',
) => ({name, direction, memory})
const need = (part: Partial<NeedAsk> = {}): NeedAsk => ({
  kind: 'need',
  api: 'Move',
  need: 'negate all elements',
  sentences: ['Negates all elements. ', 'Writes them elsewhere.', '$a$'],
  operands: [operand('dst', 'output'), operand('src', 'input')],
  prototypes: declared('void Move(int* dst, int* src);'),
  plain: undefined,
  dtypes: [],
  pipe: '',
  returns: [],
  limits: [],
  ...part,
})
const plain = (code: string, ...parameters: ParameterFact[]) => ({prototype: declared(code)[0]!, parameters})
const needs: NeedAsk[] = [
  need(),
  need({
    api: 'Move（TQue）',
    dtypes: ['half'],
    pipe: 'PIPE_V',
    returns: ['The count.'],
    limits: ['Not twice.', 'Not at once.'],
  }),
  need({need: '', api: 'Move (TQue)', dtypes: ['half', 'float'], pipe: 'PIPE_S', sentences: ['Moves.']}),
  need({
    operands: [operand('dst', 'output', 'global'), operand('src', 'input')],
    prototypes: declared('int Move(int a);'),
  }),
  need({operands: [operand('x', 'both', 'either')], pipe: 'PIPE_MTE2'}),
  need({operands: [operand('src', 'input', 'global')], prototypes: declared('int Move(int a);\nvoid Move(float a);')}),
  need({operands: [operand('dst', 'output')], prototypes: declared('int Move(int a);\nfloat Move(float a);')}),
  need({operands: [operand('n', 'input', '')], pipe: 'PIPE_V', prototypes: declared('half Move(int a);')}),
  need({
    operands: [operand('n', 'output', ''), operand('src', 'input')],
    pipe: 'PIPE_V',
    prototypes: declared('Move(int a);'),
  }),
  need({operands: [], prototypes: declared('void Move(int a, int b);\nvoid Move(int a);')}),
  need({operands: [], prototypes: declared('template <int n, typename T> void Move();'), need: ''}),
  need({operands: [], prototypes: declared('void Move();')}),
  need({operands: [], prototypes: [{...declared('void Move();')[0]!, text: 'MOVE(...)'}]}),
  need({operands: [], prototypes: []}),
  need({plain: plain('int Move(int gap);', fact('gap', {meaning: ['The gap.', 'In blocks.']}))}),
  need({plain: plain('void Move(int gap);', fact('gap', {meaning: []})), need: ''}),
  need({plain: plain('void Move();')}),
  need({plain: plain('Move(const int& gap);')}),
]

const uses = (code: string, name: string) =>
  declared(code).flatMap((prototype) => {
    const index = prototype.parameters.findIndex((one) => one.name === name)
    return [{prototype, position: index + 1, of: prototype.parameters.length, type: prototype.parameters[index]!.type}]
  })
const parameter = (part: Partial<ParameterAsk> = {}): ParameterAsk => ({
  kind: 'parameter',
  api: 'Move',
  parameter: fact('gap', {meaning: ['The gap.', 'In blocks of it.']}),
  choice: undefined,
  uses: uses('void Move(int a, uint8_t gap);', 'gap'),
  template: undefined,
  constraints: [],
  ...part,
})
const parameters: ParameterAsk[] = [
  parameter(),
  parameter({
    constraints: ['The gap is even.', 'FAST is not allowed.'],
    parameter: fact('gap', {choices, structure: 'MoveParams'}),
  }),
  parameter({
    choice: choices[0],
    constraints: ['FAST is not allowed.'],
    parameter: fact('gap', {choices, direction: ''}),
    uses: [],
  }),
  parameter({
    parameter: fact('gap', {direction: 'output'}),
    uses: uses('void Move(LocalTensor<T> gap);\nvoid Move(GlobalTensor<T> gap, int a);', 'gap'),
  }),
  parameter({parameter: fact('gap', {direction: 'both'}), uses: uses('void Move(LocalTensor<T> gap);', 'gap')}),
  parameter({uses: uses('void Move(GlobalTensor<T> gap);', 'gap'), template: {type: 'int', defaultValue: '2'}}),
  parameter({
    uses: uses('void Move(int gap);\nvoid Move(float gap);', 'gap'),
    template: {type: 'typename', defaultValue: ''},
  }),
  parameter({parameter: fact('gap', {choices}), uses: uses('void Move(uint8_t gap);', 'gap')}),
]

const rule = (text: string, matter: Rule['matter'], part: Partial<Rule> = {}): Rule => ({
  text,
  matter,
  about: [],
  counts: [],
  ...part,
})
const counts = [
  {bytes: 32, dtype: 'half', elements: 16},
  {bytes: 32, dtype: 'float', elements: 8},
]
const constraints = (items: Rule[], isCall = true): ConstraintsAsk => ({
  kind: 'constraints',
  api: 'Move',
  isCall,
  items,
})
const ruled: Ask[] = [
  constraints([rule('The address is aligned to 32B.', 'alignment', {counts, about: ['dst']})]),
  constraints(
    [
      rule('Not twice.', 'order'),
      rule('At most 64 bytes, 32B.', 'range', {about: ['n'], counts}),
      rule('At most 8次.', 'range', {about: ['n', 'm']}),
      rule('Else.', 'other'),
    ],
    false,
  ),
  constraints([rule('a', 'order'), rule('b', 'overlap'), rule('c', 'type'), rule('d', 'place')]),
  constraints([rule('NOP', 'behaviour'), rule('x', 'refusal')]),
  {
    kind: 'returns',
    api: 'Move',
    sentences: ['0: done.', '1: not.'],
    values: ['0', '1'],
    prototypes: declared('int Move(int a);'),
  },
  {
    kind: 'returns',
    api: 'Move',
    sentences: ['0: done.', '1: not.', '2: never.'],
    values: ['0', '1', '2'],
    prototypes: [],
  },
]

const move = declared(
  'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count, int n = 1);',
)
const called = (name: string, purpose = '用于搬运数据。') => ({name, purpose, source: {} as never})
const example = (code: string, part: Partial<ExampleAsk> = {}): ExampleAsk => ({
  kind: 'example',
  api: 'Move',
  example: {lead: '', code},
  call: argumentsOf(code, move, [fact('dst', {meaning: []}), fact('src'), fact('count', {choices})]),
  bare: undefined,
  settings: [],
  size: undefined,
  arrays: [],
  apis: ['Move'],
  steps: [],
  purpose: '',
  called: [],
  constraints: [],
  rules: [],
  ...part,
})
const lead = (text: string) => ({example: {lead: text, code: 'Move(dstLocal, src, 128);'}})
const examples: ExampleAsk[] = [
  example('Move(dstLocal, src, 128);', {
    settings: [
      {name: 'count', value: '128'},
      {name: 'n', value: '1'},
    ],
  }),
  example('Move<half>(dstLocal, srcLocal, 128, 2);', {
    apis: ['Move', 'Alloc', 'Free', 'Wait', 'Set'],
    steps: ['搬运数据。', '计算数据'],
  }),
  example('Move(dstLocal, srcLocal, Count::FAST);', {
    rules: ['FAST is not allowed'],
    constraints: ['The gap is even.'],
    steps: ['搬运数据'],
  }),
  example('Other();', {bare: declared('void Move();')[0], purpose: '用于等待数据。'}),
  example('Other();', {bare: declared('Move();')[0]}),
  example('Other();', {
    bare: declared('int Move();')[0],
    called: [called('Alloc'), called('Free', 'Gives a block back.')],
    apis: ['Move', 'Alloc', 'Free'],
  }),
  example('Other();', {apis: ['Move', 'Alloc']}),
  example('Move(dstLocal, src, 128);', {
    arrays: [{name: 'src', dtype: 'half', count: 64, bytes: 128}],
    size: {count: 64, dtype: 'half', bytes: 128, unitBytes: undefined},
  }),
  example('Move(dstLocal, src, 128);', {size: {count: 64, dtype: 'half', bytes: 128, unitBytes: 32}}),
  example('Move(dstLocal, src, 128);', {size: {count: 65, dtype: 'half', bytes: 130, unitBytes: 32}}),
  ...[
    '将数据搬运到片上内存，示例如下：',
    '需要等待时',
    '高维切分',
    '样例1：将数据搬运',
    '搬运数',
    `将${'甲'.repeat(119)}`,
    `将${'甲'.repeat(120)}`,
    'Moves all the data with one call:',
  ].map((text) => example('Move(dstLocal, src, 128);', lead(text))),
]

const topic = (part: Partial<TopicAsk> = {}): TopicAsk => ({
  kind: 'topic',
  page: '性能调优',
  heading: '搬运',
  shape: 'points',
  names: ['DataCopy', 'VecAdd'],
  because: ['因为带宽很低'],
  points: ['一次搬完。', '合并小块。'],
  ...part,
})
const topicCode = (text: string, part: Partial<TopicCodeAsk> = {}): TopicCodeAsk => ({
  kind: 'topic-code',
  page: '性能调优',
  heading: '概述',
  example: {lead: text, code: 'DataCopy(a, b);'},
  apis: ['DataCopy'],
  called: [],
  because: [],
  points: [],
  ...part,
})
const topics: Ask[] = [
  ...(['difference', 'steps', 'how', 'names', 'rules', 'meaning', 'points'] as const).map((shape) => topic({shape})),
  topic({heading: ''}),
  topic({heading: '性能调优'}),
  topic({heading: '概述'}),
  topicCode('将数据搬运到片上内存，示例如下：'),
  topicCode('将数据搬运', {
    apis: ['DataCopy', 'EnQue', 'DeQue', 'AllocTensor', 'FreeTensor'],
    called: [called('DataCopy'), called('EnQue', 'Hands a tensor over.')],
    because: ['因为带宽很低'],
  }),
  topicCode('repeat: 将数据搬运到片上', {apis: ['DataCopy', 'EnQue'], points: ['一次搬完。']}),
  topicCode('uses one call to move all of it', {apis: ['DataCopy', 'EnQue']}),
]

const asks: Ask[] = [
  ...checks.map((each): CheckAsk => ({kind: 'check', api: 'Move', checks: each})),
  ...formsAsked.flat(),
  ...needs,
  ...parameters,
  ...ruled,
  ...examples,
  ...topics,
]

test.each([
  ['zh', chinese],
  ['en', english],
] as const)('each case of a question is put into words, in %s', (language, writers) => {
  const drafts = asks.map((ask, at) => {
    const {question, reasoning, answer} = write(ask, writers)
    return [`# ${at} ${ask.kind}`, question, '---', reasoning, '---', answer].join('\n')
  })
  golden(`test/fixtures/told/writers-${language}.md`, `${drafts.join('\n\n')}\n`)
})
