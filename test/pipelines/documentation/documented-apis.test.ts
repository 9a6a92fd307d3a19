import {describe, expect, test} from 'vitest'
import {DocPage} from '../../../datasets/schema/document.ts'
import {declaredForms, formsBeside} from '../../../pipelines/documentation/declared-forms.ts'
import {documentedApis, documentedTypes} from '../../../pipelines/documentation/documented-apis.ts'
import {documentedPurpose} from '../../../pipelines/documentation/documented-purpose.ts'
import {factsOfPage} from '../../../pipelines/documentation/section-facts.ts'
import {cpp, parameters, prototypes} from '../../helpers/doc-text.ts'

const page = (
  markdown: string,
  {title = 'Move', path = 'api/p.md', lineCount = undefined as number | undefined} = {},
) =>
  DocPage.parse({
    origin: {repository: 'r', revision: 'v', path, licence: 'MIT'},
    language: 'zh',
    title,
    markdown,
    ...(lineCount === undefined ? {} : {lineCount}),
  })
const section = (heading: string, body: string) => `## ${heading}\n\n${body}`
const text = (...parts: string[]) => parts.join('\n\n')
const names = (...args: Parameters<typeof page>) => documentedApis(page(...args)).map(({name}) => name)

describe('the entry of an interface', () => {
  test('has all that the page tells of it', () => {
    const form = 'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src)'
    const markdown = text(
      section('功能说明', '把数据按元素取反后写到另一处。'),
      prototypes(`${form};`),
      parameters(
        'T | 输入 | 支持half、float。',
        'dst | 输出 | 目的操作数，需要32字节对齐。',
        'src | 输入 | 源操作数。',
      ),
      section('流水类型', 'PIPE_V'),
      section('约束说明', '- 源操作数的地址需要64字节对齐。'),
      section('调用示例', cpp('Move(yLocal, xLocal);')),
    )
    const told = {choices: [], structure: ''}
    expect(documentedApis(page(markdown, {lineCount: 40}))).toEqual([
      {
        ...{name: 'Move', kind: 'other', page: 'Move', language: 'zh', purpose: '把数据按元素取反后写到另一处。'},
        prototypes: [
          {
            returns: 'void',
            templates: [{name: 'T', type: 'typename'}],
            parameters: [
              {name: 'dst', type: 'const LocalTensor<T>&'},
              {name: 'src', type: 'const LocalTensor<T>&'},
            ],
            text: form,
          },
        ],
        parameters: [
          {...told, names: ['T'], direction: 'input', meaning: ['支持half、float。']},
          {...told, names: ['dst'], direction: 'output', meaning: ['目的操作数，需要32字节对齐。']},
          {...told, names: ['src'], direction: 'input', meaning: ['源操作数。']},
        ],
        ...{dtypes: ['half', 'float'], constraints: ['源操作数的地址需要64字节对齐。'], pipe: 'PIPE_V'},
        alignment: [
          {bytes: 32, of: ['dst'], text: '目的操作数，需要32字节对齐。'},
          {bytes: 64, of: ['src'], text: '源操作数的地址需要64字节对齐。'},
        ],
        examples: [{lead: '', code: 'Move(yLocal, xLocal);'}],
        origin: {repository: 'r', revision: 'v', path: 'api/p.md', licence: 'MIT', lines: [1, 40]},
      },
    ])
  })

  test('has the lines of the page where they are known', () => {
    expect(documentedApis(page(prototypes('void Move(int a);')))[0]?.origin).not.toHaveProperty('lines')
  })

  test('goes without what is said of parameters of other functions', () => {
    const markdown = text(
      prototypes('void Move(int count);', 'void Copy(int length);'),
      parameters('count | 输入 | 个数。', 'length | 输入 | 长度。', 'other | 输入 | 别的。'),
      section(
        '约束说明',
        '- count不能超过64。\n- length不能超过32。\n- 只能在核函数中调用。\n- count和length之和有限。',
      ),
    )
    const [move, copy] = documentedApis(page(markdown))
    expect(move!.parameters.map((row) => row.names)).toEqual([['count'], ['other']])
    expect(move!.constraints).toEqual(['count不能超过64。', '只能在核函数中调用。', 'count和length之和有限。'])
    expect(copy!.constraints).toEqual(['length不能超过32。', '只能在核函数中调用。', 'count和length之和有限。'])
  })

  test('has the listings that call it, but no declaration', () => {
    const markdown = text(
      prototypes('void Move(int a);'),
      section('调用示例', [cpp('Move(1);'), cpp('void Move(int a);'), cpp('MoveOther(1);')].join('\n\n')),
    )
    expect(documentedApis(page(markdown))[0]!.examples.map(({code}) => code)).toEqual(['Move(1);'])
  })

  test.each([
    ['a/C-API/p.md', 'c'],
    ['SIMT-API/p.md', 'simt'],
    ['基础API/p.md', 'basic'],
    ['basic_api/p.md', 'basic'],
    ['高阶API/p.md', 'high-level'],
    ['adv-api/p.md', 'high-level'],
    ['Utils-API/p.md', 'utils'],
    ['AICPU/p.md', 'ai-cpu'],
    ['a/p.md', 'other'],
  ])('is of the part that its path names: %s', (path, kind) => {
    expect(documentedApis(page(prototypes('void Move(int a);'), {path}))[0]!.kind).toBe(kind)
  })
})

describe('names', () => {
  test('are those of functions, of members by their class, and of macros', () => {
    expect(names(prototypes('void Move(int a);', 'void Copy(int a);'), {title: 'Something else'})).toEqual([
      'Move',
      'Copy',
    ])
    expect(names(prototypes('void Init(int a);', 'void Free(int a);'), {title: 'Queue'})).toEqual([
      'Queue::Init',
      'Queue::Free',
    ])
    expect(names(prototypes('Queue();', 'void Init(int a);', '~Queue();'), {title: 'Queue'})).toEqual([
      'Queue',
      'Queue::Init',
    ])
    expect(names(prototypes('void Init(int a);'), {title: 'Queue'})).toEqual(['Init'])
    expect(names('把数据搬运到片上。')).toEqual([])
  })

  test('of members are found by the folder where examples call them on an object', () => {
    const markdown = (call: string) => text(prototypes('void Init(int a);'), section('调用示例', cpp(call)))
    const at = (call: string, folder: string) => names(markdown(call), {title: 'Init', path: `a/${folder}/Init.md`})
    expect(at('queue.Init(1);', 'TQue')).toEqual(['TQue::Init'])
    expect(at('queue->template Init<int>(1);', 'TQue')).toEqual(['TQue::Init'])
    expect(at('Init(1);', 'TQue')).toEqual(['Init'])
    expect(at('queue.Init(1);', 'queue')).toEqual(['Init'])
    expect(at('queue.InitAll(1);', 'TQue')).toEqual(['Init'])
  })

  test('of macros are told by a call', () => {
    const macro = (title: string, code: string) => documentedApis(page(cpp(code), {title}))
    expect(macro('GET_DATA', 'GET_DATA(tiling, arg);')).toMatchObject([
      {
        name: 'GET_DATA',
        prototypes: [
          {
            ...{returns: '', templates: [], text: 'GET_DATA(tiling, arg)'},
            parameters: [
              {name: 'tiling', type: ''},
              {name: 'arg', type: ''},
            ],
          },
        ],
      },
    ])
    expect(macro('GET', 'GET(tiling);')).toEqual([])
    expect(macro('GET_DATA', 'auto a = GET_DATA(tiling);')).toEqual([])
    expect(documentedApis(page(text(cpp('GET_DATA(a);'), cpp('GET_DATA(a, b);')), {title: 'GET_DATA'}))).toMatchObject([
      {prototypes: [{parameters: [{name: 'a'}]}]},
    ])
  })

  test('of old interfaces are entries of their own', () => {
    const markdown = '| 旧接口 | 新接口 |\n| --- | --- |\n| OldMove | Move |'
    expect(documentedApis(page(markdown))).toMatchObject([
      {name: 'OldMove', prototypes: [], deprecated: {text: '旧接口：OldMove；新接口：Move', instead: ['Move']}},
    ])
  })
})

describe('alignment', () => {
  const rules = (constraint: string) =>
    documentedApis(
      page(
        text(
          prototypes('void Move(int* dst, int* src0, int n);'),
          parameters('dst | 输出 | 目的操作数。', 'src0 | 输入 | 源操作数。', 'n | 输入 | 元素个数。'),
          section('约束说明', `- ${constraint}`),
        ),
      ),
    )[0]!.alignment.map(({bytes, of}) => `${bytes} ${of.join()}`)

  test.each<[string, string[]]>([
    ['dst的地址必须32字节对齐。', ['32 dst']],
    ['长度是64B的整数倍。', ['64 ']],
    ['The destination must be a multiple of 32 bytes.', ['32 dst']],
    ['源操作数和目的操作数的地址需要32字节对齐。', ['32 dst,src0']],
    ['dst需要32字节对齐，src0需要64字节对齐。', ['32 dst', '64 src0']],
    ['dst需要1字节对齐。', []],
    ['dst需要2字节对齐。', ['2 dst']],
    ['dst不需要32字节对齐。', []],
    ['未32字节对齐时自动补齐。', []],
    ['dst的长度不能超过32字节。', []],
  ])('of %j', (constraint, found) => {
    expect(rules(constraint)).toEqual(found)
  })
})

describe('what is declared beside functions', () => {
  const forms = (markdown: string, title = 'Move') =>
    declaredForms({title, markdown}).map(({name, text: source}) => `${name}: ${source}`)

  test('is read in the section on prototypes, and a type of the title anywhere', () => {
    const code = cpp('#define MOVE_ALL(a, b) do_move(a, b)', 'struct Params {', 'int a;', '};', 'using Mode = int;')
    expect(forms(section('函数原型', code))).toEqual([
      'MOVE_ALL: #define MOVE_ALL(a, b)',
      'Params: struct Params {\nint a;\n}',
      'Mode: using Mode = int',
    ])
    expect(forms(section('示例', code))).toEqual([])
    expect(forms(section('示例', code), 'Params结构体')).toEqual(['Params: struct Params {\nint a;\n}'])
    expect(forms(text(section('函数原型', ''), section('示例', code)))).toEqual([])
    expect(forms(section('函数原型', '```python\nclass Params:\n```'))).toEqual([])
  })

  test('stands in no other type, and in no comment', () => {
    const code = ['struct A { struct B { int b; }; };', '// struct C {};', '/* struct D {}; */', 'enum class E;']
    expect(forms(section('函数原型', cpp(...code)))).toEqual([
      'A: struct A { struct B { int b; }; }',
      'E: enum class E',
    ])
  })

  test('calls of macros stand alone on their lines', () => {
    const {macros} = formsBeside('KERNEL_TYPE(key, TraceId id);\nint a = KERNEL_TYPE(x);\nABC(x)\nKERNEL_TYPE(a.b) + 1')
    expect(macros.map(({text: source, parameters: given}) => [source, given])).toEqual([
      [
        'KERNEL_TYPE(key, TraceId id)',
        [
          {name: 'key', type: ''},
          {name: 'id', type: 'TraceId'},
        ],
      ],
    ])
  })
})

describe('what it is for', () => {
  const purpose = (markdown: string) => documentedPurpose(markdown, factsOfPage(markdown))

  test.each([
    [section('功能说明', '把数据按元素取反后写到另一处。'), '把数据按元素取反后写到另一处。'],
    [section('功能说明', '对数据求和，计算公式如下：\n\n$$a+b$$'), '对数据求和'],
    [section('功能说明', '其中a是输入。对数据求和，计算过程如下图所示。'), '对数据求和。'],
    [section('功能说明', '如图1所示，把数据搬运到片上，如下图所示。'), '把数据搬运到片上。'],
    [section('其他', '把数据按元素取反后写到另一处。'), ''],
    ['# Move\n\n把数据按元素取反。', ''],
  ])('%j', (markdown, found) => {
    expect(purpose(markdown)).toBe(found)
  })
})

describe('the types of its elements', () => {
  const types = (markdown: string) => {
    const facts = factsOfPage(markdown)
    return documentedTypes(markdown, facts, facts.prototypes)
  }
  const form = prototypes('template <typename T, typename U> void Move(__ubuf__ half* dst, U* src);')

  test('come from the first place that names any', () => {
    const table = section('数据类型', '| 源 | 目的 |\n| --- | --- |\n| half<br>float | b32 |')
    const rule = section('约束说明', '- 支持的数据类型为int8_t。')
    const ofU = parameters('U | 输入 | 支持int32_t。')
    expect(types(text(form, ofU, rule, table))).toEqual(['half', 'float', 'b32'])
    expect(types(text(form, ofU, rule))).toEqual(['int8_t'])
    expect(types(text(form, ofU))).toEqual(['int32_t'])
    expect(types(form)).toEqual(['half'])
    expect(types(prototypes('void Move(half* dst);'))).toEqual([])
  })

  test('are not those of tables of other sections', () => {
    expect(types(section('约束说明', '| 源 |\n| --- |\n| half |'))).toEqual([])
    expect(types(section('数据类型', '### 组合\n\n| 源 |\n| --- |\n| half |'))).toEqual(['half'])
  })
})
