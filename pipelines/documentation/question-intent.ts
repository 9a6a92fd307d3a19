import type {SectionRole} from '../../datasets/schema/document.ts'

/** How well a section of each role answers a question; roles that are not named count 1. */
export type RoleFit = Partial<Record<SectionRole, number>>

interface Cue {
  role: SectionRole
  /** Words with only this intent. */
  strong: RegExp
  /** Words that often have this intent, and often another. */
  weak?: RegExp
}

const dtypes = String.raw`\b(?:u?int(?:4|8|16|32|64)?(?:_t)?|half|float|double|bool|bf16|bfloat16(?:_t)?|fp\d\d)\b`

const cues: readonly Cue[] = [
  {
    role: 'returns',
    strong: oneOf('返回', String.raw`\breturns?\b`),
    weak: oneOf('得到|拿到|给我|结果是', english('result')),
  },
  {
    role: 'data-types',
    strong: oneOf(
      '数据类型|(?:什么|哪些|哪种|元素)类型|类型(?:范围|组合)|dtypes?|(?:data|element) ?types?',
      `支持[^，。？]{0,12}(?:类型|${dtypes})|(?:支持|能|可以|允许)[^，。？]{0,8}${dtypes}`,
      `${dtypes}[^，。？?]{0,12}(?:吗|supported|allowed|accepted)`,
      String.raw`(?:support|accept)s?\b.{0,12}${dtypes}`,
    ),
    weak: oneOf('类型', english('types?'), dtypes),
  },
  {
    role: 'constraints',
    strong: oneOf(
      '约束|限制|注意|(?:什么|哪些)要求',
      english(String.raw`constraints?|restrict\w*|limitations?|watch out|caveats?`),
    ),
    weak: oneOf(
      '要求|必须|不能|不允许|上限|最多|条件|前提|成对|遵守|对齐|重叠',
      english(String.raw`must|require\w*|allowed|aligned|limits?`),
    ),
  },
  {
    role: 'parameters',
    strong: oneOf(
      String.raw`参数|取值|[填传]什么|怎么[填传]|设置为|[传取]入?\s*-?\d`,
      english('parameters?|arguments?|set to'),
    ),
    weak: oneOf(
      '怎么(?:设置?|配|选)|怎样设置|如何设置|单位|字段|成员|选项|含义',
      english('fields?|members?|meaning|options?|values?'),
    ),
  },
  {
    role: 'prototype',
    strong: oneOf(
      String.raw`原型|声明|签名|重载|几种(?:\S{0,2}形式|写法)`,
      english('prototypes?|signatures?|declarations?|declared|overloads?'),
    ),
    weak: oneOf('定义|包括哪些函数', english('defined')),
  },
  {
    role: 'example',
    strong: oneOf('示例|样例|例子|用例', english('demo|examples?|samples?|snippets?')),
    weak: oneOf('代码|怎么写|怎么用|写一段|演示|用法', english('code|how (?:do|can) (?:i|we) (?:use|call)')),
  },
  {role: 'function', strong: oneOf('做什么|哪个(?:接口|函数|API)', english('which (?:api|function|interface)'))},
  {role: 'headers', strong: oneOf('头文件', english('headers?|includes?'))},
  {role: 'pipe', strong: oneOf('流水类型|哪条流水', english('which pipe'))},
  {role: 'support', strong: oneOf('哪些(?:产品|芯片|型号)|产品支持', english('(?:which|what) (?:products?|chips?)'))},
]

function oneOf(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}

function english(words: string): string {
  return String.raw`\b(?:${words})\b`
}

/** Asks what something is or does; also used for parameters and results, so it only counts without another intent. */
const purpose = oneOf(
  '作用|功能|用途|用来|干嘛|干什么|做什么|做了什么|是什么|介绍|解决|场景|什么时候|何时',
  english('what (?:is|are|does)|purpose|used? for|for|when'),
)

/** What a question wants most comes first in it. */
const leadFit = 6
const furtherFit = 3.5
const weakFit = 2.5

/** What kind of section a question wants, by its words, Chinese or English. */
export function roleFitOf(question: string): RoleFit {
  const fit: RoleFit = {support: 0.3}
  const strong = cues.filter((cue) => cue.strong.test(question))
  const order = strong.sort((a, b) => question.search(a.strong) - question.search(b.strong))
  for (const [rank, {role}] of order.entries()) fit[role] = rank === 0 ? leadFit : furtherFit
  const weak = strong.length > 0 ? [] : cues.filter((cue) => cue.weak?.test(question))
  for (const {role} of weak) fit[role] = weakFit
  if (strong.length === 0 && purpose.test(question)) fit.function = weak.length > 0 ? weakFit : leadFit
  return fit
}

/** Fallback sections, in this order, on a page without the requested role. */
export const elsewhere: Partial<Record<SectionRole, SectionRole[]>> = {
  'data-types': ['parameters', 'constraints'],
  returns: ['prototype', 'function'],
  constraints: ['parameters', 'function'],
  parameters: ['prototype'],
  example: ['function'],
}

/** Question words without content. */
const asking = new RegExp(
  [
    '请|介绍|解释|说明|写出|演示|什么|怎么|怎样|如何|为什么|哪些|哪种|哪几|应该|需要|可以|能否|是否|一下|的时候|之前|之后',
    '关于|针对|作用|功能|用途|用法|含义|使用|调用|用来|返回|开发|要点|关键|内容|掌握|给出|一段|代码|示例|样例|例子|原型',
    '包括|函数|约束|限制|注意|遵守|检查|条件|参数|取值|设置|数据类型|类型|支持|Ascend C|AscendC',
    english('the|an?|of|in|is|are|do|does|i|we|you|how|what|which|when|where|why|to|for|with|on|it|its|like|and|or'),
    english(
      'example|sample|code|show|return(?:s|ed)?|value|parameters?|meaning|signature|declaration|use|using|calling',
    ),
  ].join('|'),
  'gi',
)

/** The question without the words that only put it; unchanged if nothing would be left. */
export function subjectOfQuestion(question: string): string {
  const rest = question.replace(asking, ' ')
  return /[\p{Script=Han}\w]{2}/u.test(rest) ? rest : question
}
