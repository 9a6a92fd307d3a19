import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../../datasets/schema/document.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {asksOf, wordlessAsksOf} from '../../../../pipelines/documentation/offline/asks.ts'
import {docSection} from '../../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../../helpers/doc-text.ts'

const form = 'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t count);'
const table = parameters(
  'T | 输入 | 操作数的数据类型，支持half、float。',
  'dst | 输出 | 目的操作数。',
  'src | 输入 | 源操作数。',
  'count | 输入 | 元素的个数，取值范围是[1, 255]。',
)
const rows = table.replace(/^.*\n\n/, '')
const context = [prototypes(form), table, '## 功能说明\n\n把数据按元素取反后写到另一处。'].join('\n\n')
const section = (role: DocSection['role'], markdown: string, part: Partial<DocSection> = {}) =>
  docSection({page: 'Move', path: 'p.md', role, markdown, context, ...part})
// What is checked of a call is drawn: over many draws every kind of question comes up.
const draws = Array.from({length: 8}, (_, at) => randomFrom('asks', at))
const [first] = draws as [(typeof draws)[0]]
const distinct = (of: (random: typeof first) => {kind: string}[]) => [
  ...new Set(draws.flatMap((random) => of(random).map(({kind}) => kind))),
]
const kinds = (one: DocSection) => distinct((random) => asksOf(one, random))
const wordless = (one: DocSection) => distinct((random) => wordlessAsksOf(one, random))
const call = cpp('// 四次', 'Move(dstLocal, srcLocal, 64); /* 搬运 */ int x = 1; // kept', 'int y;')
const onTypes = '- 支持的数据类型为：half、float。'
const onlyTypes = {context: prototypes(form)}

describe('what a section is asked', () => {
  test.each<[DocSection['role'], string, string[]]>([
    ['function', '把数据按元素取反后写到另一处。', ['need']],
    ['prototype', cpp(form), ['forms']],
    ['constraints', '- count不能超过64。\n- 不能嵌套调用。', ['constraints']],
    ['example', call, ['example']],
    ['returns', '- true：成功。\n- false：失败。', ['returns']],
    ['data-types', onTypes, []],
    ['pipe', 'PIPE_V', []],
    ['support', '- Atlas A2：支持', []],
    ['headers', 'kernel_operator.h', []],
  ])('of the role %s', (role, markdown, asked) => {
    expect(kinds(section(role, markdown))).toEqual(asked)
  })

  test('of parameters, each and a planned call, which a class has none of', () => {
    expect(kinds(section('parameters', rows, onlyTypes))).toContain('check')
    const info = 'info | 输入 | 搬运的信息，可取值如下：<br>• MODE_A：从头开始。<br>• MODE_B：接着上次。'
    const ofInfo = {context: prototypes('void Move(GM_ADDR info);')}
    const told = parameters(info).replace(/^.*\n\n/, '')
    expect(kinds(section('parameters', told, ofInfo))).toEqual(['parameter'])
    const queue = {page: 'Queue', context: prototypes('void Init(uint8_t count);', 'void Free(uint8_t count);')}
    expect(kinds(section('parameters', rows, queue))).not.toContain('check')
  })

  test('of types, where the page has no table of parameters', () => {
    expect(kinds(section('data-types', onTypes, onlyTypes))).toEqual(['check'])
    expect(wordless(section('data-types', onTypes, onlyTypes))).toEqual(['check'])
    expect(wordless(section('data-types', onTypes))).toEqual([])
  })

  test('names a family by its first function', () => {
    const family = {page: 'asc_move', context: prototypes('void asc_move_half(int a, int b);')}
    const api = (part: Partial<DocSection>) =>
      asksOf(section('prototype', cpp('void asc_move_half(int a, int b);'), {...family, ...part}), first).map((ask) =>
        'api' in ask ? ask.api : ask.kind,
      )
    expect(api({})).toEqual(['asc_move_half等接口'])
    expect(api({language: 'en'})).toEqual(['asc_move_half and its family'])
  })
})

describe('what is asked without a word of the page', () => {
  test('is told by numbers, types and code', () => {
    expect(wordless(section('parameters', rows, onlyTypes))).toEqual(['check'])
    expect(wordless(section('prototype', cpp(form)))).toEqual(['forms'])
    for (const role of ['function', 'constraints', 'returns'] as const)
      expect(wordless(section(role, '把数据按元素取反后写到另一处。'))).toEqual([])
  })

  test('has listings without comments in Chinese', () => {
    const [ask] = wordlessAsksOf(section('example', `搬运数据：\n\n${call}`), first)
    expect(ask).toMatchObject({
      kind: 'example',
      example: {lead: '', code: '\nMove(dstLocal, srcLocal, 64);  int x = 1; // kept\nint y;'},
      ...{called: [], constraints: [], purpose: ''},
    })
  })

  test('needs a title in letters of that language, of one interface', () => {
    expect(wordless(section('prototype', cpp(form), {page: 'Move（搬运）'}))).toEqual([])
    expect(
      wordless(section('prototype', cpp('void asc_move_half(int a, int b);'), {page: 'asc_move', context: ''})),
    ).toEqual([])
    const queue = {page: 'Queue', context: ''}
    expect(wordless(section('prototype', cpp('void Init(int a, int b);', 'void Free(int a);'), queue))).toEqual([])
  })
})
