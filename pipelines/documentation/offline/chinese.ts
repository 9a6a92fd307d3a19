import type {Random} from '../../../engine/random.ts'
import type {Ask, ParameterUse} from './asks.ts'
import type {Draft} from './compose.ts'
import {alignedElements, bulletList, closed, codeBlock, distinctTypes, memoryOf, trimStop, typeLimit} from './text.ts'

const list = (names: readonly string[]) => names.join('、')
const directions = {input: '输入', output: '输出', both: '既是输入又是输出', '': ''}

/** Writes one question in Chinese: the reasoning goes from the question to the facts and from the facts to the answer. */
export function writeChinese(ask: Ask, random: Random): Draft {
  switch (ask.kind) {
    case 'parameter':
      return parameter(ask, random)
    case 'range':
      return range(ask)
    case 'multiple':
      return multiple(ask)
    case 'data-types':
      return dataTypes(ask)
    case 'constraints':
      return constraints(ask, random)
    case 'prototypes':
      return prototypes(ask)
    case 'example':
      return example(ask, random)
    case 'purpose':
      return purpose(ask, random)
    case 'returns':
      return returns(ask)
    case 'pipe':
      return pipe(ask)
    case 'topic-code':
      return topicCode(ask)
    case 'topic':
      return topic(ask, random)
  }
}

type Of<K extends Ask['kind']> = Extract<Ask, {kind: K}>

function recall(purposeSentence: string, api: string): string {
  return purposeSentence === '' ? '' : `先回忆${api}的作用：${trimStop(purposeSentence)}。`
}

function usage(uses: readonly ParameterUse[]): string {
  if (uses.length === 0) return ''
  const first = uses[0]!
  const where =
    uses.length === 1
      ? `是第${first.position}个参数（共${first.of}个）`
      : `出现在${uses.length}种调用形式中，${positions(uses)}`
  const types = distinctTypes(uses)
  const written = types.map((type) => `\`${type}\``)
  return `在函数原型里它${where}，${types.length === 1 ? `类型是${written[0]}` : `类型随形式不同，有${list(written)}${types.length}种`}。${typeMeaning(types)}`
}

function positions(uses: readonly ParameterUse[]): string {
  const distinct = [...new Set(uses.map((use) => use.position))]
  return distinct.length === 1 ? `都是第${distinct[0]}个` : `位置可能是第${distinct.join('、')}个`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit) return `${limit.bits}位无符号整数最大只能到${limit.max}，传入的值不能超过它。`
  return {
    local: '它指向片上内存中的张量，需要先分配空间。',
    global: '它指向Global Memory中的数据。',
    either: '它在片上内存还是在Global Memory，由所用的形式决定。',
    '': '',
  }[memoryOf(types)]
}

function parameter(ask: Of<'parameter'>, random: Random): Draft {
  const {parameter: fact, api} = ask
  const subject =
    fact.structure === '' ? `${api}的参数${fact.name}` : `${api}使用的结构体${fact.structure}中，成员${fact.name}`
  const question = random.pick([
    `在Ascend C中，${subject}的含义是什么？应该怎样设置？`,
    `调用Ascend C的${api}时，${fact.structure === '' ? `参数${fact.name}` : `${fact.structure}的成员${fact.name}`}该怎么填？`,
    `请说明Ascend C中${subject}的作用和取值要求。`,
  ])
  const direction = fact.direction === '' ? '' : `从数据流向看，它是${directions[fact.direction]}参数。`
  const [first = '', ...more] = fact.meaning
  const choices = fact.choices.map((choice) => `${choice.name}：${choice.text}`)
  const reasoning = [
    random.pick([
      `问题问的是${subject}，需要弄清它表示什么、取值受什么限制。`,
      `要设置好${fact.name}，得先知道它在调用中起什么作用，再看哪些取值合法。`,
      `这里关心的是${fact.name}：它控制什么，写错会违反哪条规则。`,
    ]),
    recall(ask.purpose, api),
    usage(ask.uses),
    direction,
    `它表示的内容是：${trimStop(first)}。`,
    choices.length > 0
      ? `它可取的值有${list(fact.choices.map((choice) => choice.name))}，各自的含义是：${choices.map(trimStop).join('；')}。`
      : '',
    more.length > 0 ? `在此基础上还有${more.length}点要注意：${more.map(trimStop).join('；')}。` : '',
    ask.constraints.length > 0
      ? `再看约束，与它直接有关的是：${ask.constraints.map(trimStop).join('；')}。设置时要同时满足。`
      : '',
    random.pick(['综合含义和限制，可以给出设置方法。', '把含义和限制合起来，就是设置它的规则。', '']),
  ]
    .filter(Boolean)
    .join('\n')
  const answer = [
    `${fact.name}${fact.direction === '' ? '' : `（${directions[fact.direction]}）`}：${trimStop(first)}。`,
    bulletList([...choices, ...more]),
    ask.constraints.length > 0 ? `使用时还要满足：\n${bulletList(ask.constraints)}` : '',
  ]
    .filter(Boolean)
    .join('\n\n')
  return {question, reasoning, answer}
}

function range(ask: Of<'range'>): Draft {
  const {parameter: fact, api, low, high, value} = ask
  const ok = value >= low && value <= high
  const owner =
    fact.structure === '' ? `${api}的参数${fact.name}` : `${api}所用结构体${fact.structure}的成员${fact.name}`
  return {
    question: `在Ascend C中，${owner}可以设置为${value}吗？`,
    reasoning: `要判断${value}是否合法，先要知道${fact.name}的取值范围。\n它的含义是：${trimStop(ask.sentence)}。所以允许的最小值是${low}，最大值是${high}，两端都包含。\n${ok ? `${low} ≤ ${value} ≤ ${high}，落在范围之内。` : `${value}比最大值${high}大${value - high}，超出了范围。`}`,
    answer: ok
      ? `可以。${fact.name}的取值范围是[${low}, ${high}]，${value}在范围内。`
      : `不可以。${fact.name}的取值范围是[${low}, ${high}]，${value}超出了上限${high}。`,
  }
}

function multiple(ask: Of<'multiple'>): Draft {
  const bytes = ask.count * ask.dtypeBytes
  const rest = bytes % ask.unitBytes
  const per = ask.unitBytes / ask.dtypeBytes
  return {
    question: `用Ascend C的${ask.api}一次处理${ask.count}个${ask.dtype}元素，数据量满足要求吗？`,
    reasoning: `首先找出对数据量的要求：${trimStop(ask.sentence)}。\n${ask.dtype}每个元素占${ask.dtypeBytes}字节，${ask.count}个元素共${ask.count} × ${ask.dtypeBytes} = ${bytes}字节。\n${bytes} ÷ ${ask.unitBytes} = ${Math.floor(bytes / ask.unitBytes)}余${rest}，${rest === 0 ? '正好整除。' : '不能整除。'}\n换成元素个数看，${ask.unitBytes}字节等于${per}个${ask.dtype}，所以个数必须是${per}的整数倍。`,
    answer:
      rest === 0
        ? `满足。${ask.count}个${ask.dtype}共${bytes}字节，是${ask.unitBytes}字节的整数倍。`
        : `不满足。${ask.count}个${ask.dtype}共${bytes}字节，不是${ask.unitBytes}字节的整数倍；对${ask.dtype}来说，元素个数要取${per}的整数倍。`,
  }
}

function dataTypes(ask: Of<'data-types'>): Draft {
  const owner = ask.owner === '' ? '操作数' : `模板参数${ask.owner}`
  const known = `Atlas A2训练系列产品上，${ask.api}的${owner}支持${ask.supported.length}种数据类型：${list(ask.supported)}。`
  if (ask.asked === undefined) {
    return {
      question: `在Atlas A2训练系列产品上，Ascend C的${ask.api}对${owner}的数据类型有什么要求？`,
      reasoning: `这个问题要看${owner}允许哪些类型，以及有没有附加条件。\n逐个确认涉及的类型：${list(ask.supported)}。\n但这些类型不一定在所有情况下都能用，条件是：${trimStop(ask.sentence)}。因此回答时要把条件一起说明。`,
      answer: `${trimStop(ask.sentence)}。`,
    }
  }
  const ok = ask.supported.includes(ask.asked)
  const hint = ask.constraints.length > 0 ? `\n${bulletList(ask.constraints)}` : ''
  return {
    question: `在Atlas A2训练系列产品上，Ascend C的${ask.api}支持${ask.asked}类型吗？`,
    reasoning: `判断${ask.asked}能否使用，关键是${ask.api}的${owner}支持哪些数据类型。\n支持的类型是${list(ask.supported)}。\n${ok ? `${ask.asked}在其中。` : `逐个比对，${list(ask.supported)}都不是${ask.asked}，所以不能直接传入${ask.asked}的张量。`}${ask.constraints.length > 0 ? `\n与${ask.asked}有关的约束还有：${ask.constraints.map(trimStop).join('；')}。` : ''}`,
    answer: `${ok ? '支持' : '不支持'}。${known}${hint}`,
  }
}

function constraints(ask: Of<'constraints'>, random: Random): Draft {
  const steps = ask.items.map((item, index) => {
    const about = item.about.length > 0 ? `它约束的是${list(item.about)}` : ''
    const aligned = alignedElements(item.text, ask.dtypes)
    const derived =
      aligned.length > 0
        ? `换算成元素个数：${aligned.map((each) => `${each.bytes}字节等于${each.elements}个${each.dtype}`).join('，')}`
        : ''
    const more = [about, derived].filter(Boolean).join('；')
    return `${index + 1}. ${trimStop(item.text)}。${more === '' ? '' : `${more}。`}`
  })
  const only = ask.items.length === 1
  const verb = ask.isCall ? '调用' : '使用'
  return {
    question: ask.isCall
      ? random.pick([
          `调用Ascend C的${ask.api}时需要遵守哪些约束？`,
          `使用Ascend C的${ask.api}有哪些限制需要注意？`,
          `在核函数里调用${ask.api}之前，应该检查哪些条件？`,
        ])
      : `使用Ascend C的${ask.api}有哪些限制需要注意？`,
    reasoning: [
      `要正确${verb}${ask.api}，需要检查操作数、参数取值和调用环境几个方面。`,
      recall(ask.purpose, ask.api),
      only ? '需要关注的约束是：' : `逐条分析，共有${ask.items.length}条：`,
      ...steps,
      only ? '满足这一条即可。' : '这些条件要同时满足，缺一条都可能得到错误结果。',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: only
      ? `${trimStop(ask.items[0]!.text)}。`
      : `${verb}${ask.api}时需要满足以下条件：\n\n${bulletList(ask.items.map((item) => item.text))}`,
  }
}

function prototypes(ask: Of<'prototypes'>): Draft {
  const several = ask.prototypes.length > 1
  const oneResult = new Set(ask.prototypes.map((prototype) => prototype.returns)).size === 1
  const told = (name: string) => {
    const fact = ask.parameters.find((each) => each.names.includes(name))
    return fact ? `${name}（${trimStop(fact.meaning[0] ?? '')}）` : name
  }
  const forms = ask.prototypes.map((prototype, index) => {
    const {name, own, twin} = ask.forms[index]!
    const templates = prototype.templates
      .filter((each) => each.name !== '')
      .map((each) => (each.defaultValue === undefined ? each.name : `${each.name}（默认${each.defaultValue}）`))
    const outer = prototype.templates.length > 0 && templates.length > 0 ? `模板参数是${list(templates)}，` : ''
    const label = name !== '' ? name : several ? `形式${index + 1}` : prototype.name
    if (twin)
      return `${label}：参数名与${ask.forms[twin.form]!.name || `形式${twin.form + 1}`}相同${twin.differs.length > 0 ? `，区别在于${twin.differs.map((each) => `${each.name}的类型是\`${each.here}\`而不是\`${each.there}\``).join('、')}` : templates.length > 0 ? `，模板参数是${list(templates)}` : ''}。`
    return `${label}：${outer}${prototype.parameters.length === 0 ? '没有参数' : `共${prototype.parameters.length}个参数`}${several && own.length > 0 ? `，特有的是${own.map(told).join('、')}` : ''}${oneResult ? '' : `，返回\`${prototype.returns}\``}。`
  })
  const code = ask.prototypes.map((prototype) => `${prototype.text};`).join('\n\n')
  const question = ask.forms.some((form) => form.name !== '')
    ? `Ascend C的${ask.api}包括哪些函数？写出它们的原型并说明参数。`
    : several
      ? `Ascend C的${ask.api}有哪几种调用形式？它们的区别是什么？`
      : ask.prototypes[0]!.parameters.length === 0
        ? `Ascend C的${ask.api}怎样声明，返回什么类型？`
        : `写出Ascend C中${ask.api}的函数原型，并说明各个参数。`
  const shared = several && ask.shared.length > 0 ? `所有形式都有的参数是${ask.shared.map(told).join('、')}。` : ''
  const each = several
    ? ''
    : ask.prototypes[0]!.parameters.map(
        (parameter, index) => `第${index + 1}个参数${told(parameter.name)}，类型是\`${parameter.type}\``,
      ).join('；')
  const result = ask.prototypes[0]!.returns
  return {
    question,
    reasoning: [
      `需要从功能出发推出接口的样子。`,
      recall(ask.purpose, ask.api),
      shared,
      each === '' ? '' : `按调用顺序：${each}。`,
      ...forms,
      !oneResult ? '' : result === 'void' ? '函数本身没有返回值。' : result === '' ? '' : `返回值类型是\`${result}\`。`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer:
      `${codeBlock(code)}\n\n${several ? [shared, ...forms].filter(Boolean).join('\n') : bulletList(ask.prototypes[0]!.parameters.map((parameter) => (told(parameter.name) === parameter.name ? `${parameter.name}：类型是\`${parameter.type}\`` : told(parameter.name)))) || `没有参数，返回类型是\`${result || ask.api}\`。`}`.trim(),
  }
}

function example(ask: Of<'example'>, random: Random): Draft {
  const lead = trimStop(ask.example.lead.replace(/(?:如下(?:所示)?|示例|样例)?[：:]?$/, ''))
  const task = lead.length >= 4 && lead.length <= 120 ? `，场景是：${lead}` : ''
  const question = random.pick([
    `请写一段Ascend C代码，演示${ask.api}的用法${task}。`,
    `用Ascend C的${ask.api}写一个调用示例${task}。`,
  ])
  const steps = ask.apis.length > 1 ? `代码里依次调用${list(ask.apis)}。` : ''
  const size = ask.size
    ? `核对数据量：${ask.size.count}个${ask.size.dtype}共${ask.size.bytes}字节，${ask.size.bytes % 32 === 0 ? '是' : '不是'}32字节的整数倍。`
    : ''
  const call = ask.call
  const mapping =
    call?.arguments.flatMap(({name, value, parameter: fact, choice}) =>
      fact
        ? [
            `\`${value}\`对应${name}：${trimStop(fact.meaning[0] ?? '')}${choice ? `；${choice.name}表示${trimStop(choice.text)}` : ''}`,
          ]
        : [],
    ) ?? []
  const chosen = call
    ? `这里用的是有${call.prototype.parameters.length}个参数的形式，参数依次是${list(call.prototype.parameters.map((each) => each.name))}。`
    : ''
  return {
    question,
    reasoning: [
      call
        ? `要写出${ask.api}的调用，先确定用哪一种形式，再确定每个实参。`
        : `要演示${ask.api}，先确定代码要完成什么，再看依次用到哪些接口。`,
      recall(ask.purpose, ask.api),
      task === '' ? '' : `题目给出的场景是${lead}，代码要与它一致。`,
      chosen,
      mapping.length > 0 ? `逐个确定实参：${mapping.join('；')}。` : '',
      size,
      steps,
      ask.rules.length > 0 ? `所选的取值还带来一条要求：${ask.rules.map(trimStop).join('；')}。` : '',
      ask.constraints.length > 0 ? `写完后检查约束：${ask.constraints.map(trimStop).join('；')}。` : '',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${codeBlock(ask.example.code)}${mapping.length > 0 ? `\n\n其中：\n\n${bulletList(mapping)}` : ''}${ask.rules.length > 0 ? `\n\n注意：${ask.rules.map(closed).join('')}` : ''}`,
  }
}

function purpose(ask: Of<'purpose'>, random: Random): Draft {
  const [first = '', ...more] = ask.sentences
  const operands = ask.operands.map(
    (fact) => `${fact.name}是${directions[fact.direction]}（${trimStop(fact.meaning[0] ?? '')}）`,
  )
  return {
    question: random.pick([
      `Ascend C的${ask.api}有什么作用？`,
      `请介绍Ascend C中${ask.api}的功能和使用要点。`,
      `什么时候需要使用Ascend C的${ask.api}？`,
    ]),
    reasoning: [
      random.pick([
        `问题是${ask.api}的用途，可以从它读什么、写什么、做什么三个方面来想。`,
        `要说清${ask.api}的作用，先看它的输入和输出，再看两者之间发生了什么。`,
        `从接口本身出发来想：${ask.api}拿到什么，产生什么，有什么前提。`,
      ]),
      operands.length > 0 ? `从参数看：${operands.join('；')}。` : '',
      `它的核心动作是：${trimStop(first)}。`,
      more.length > 0 ? `进一步的细节是：${more.map(trimStop).join('；')}。` : '',
      ask.constraints.length > 0 ? `同时要知道它的边界：${ask.constraints.map(trimStop).join('；')}。` : '',
    ]
      .filter(Boolean)
      .join('\n'),
    answer: [
      closed(first),
      more.map(closed).join(''),
      ask.constraints.length > 0 ? `使用时注意：\n${bulletList(ask.constraints)}` : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

function returns(ask: Of<'returns'>): Draft {
  const types = [
    ...new Set(ask.prototypes.map((prototype) => prototype.returns).filter((type) => type !== '' && type !== 'void')),
  ]
  return {
    question: `Ascend C的${ask.api}返回什么？`,
    reasoning: [
      `要知道${ask.api}的返回值，先看它做什么，再看函数原型。`,
      recall(ask.purpose, ask.api),
      types.length > 0 ? `函数原型声明的返回类型是${types.map((type) => `\`${type}\``).join('、')}。` : '',
      `它的含义是：${ask.sentences.map(trimStop).join('；')}。`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer: ask.sentences.map((sentence) => `${trimStop(sentence)}。`).join(''),
  }
}

function pipe(ask: Of<'pipe'>): Draft {
  return {
    question: `Ascend C的${ask.api}在哪条流水上执行？`,
    reasoning: [
      `流水类型决定了${ask.api}与哪些指令可以并行、与哪些指令之间需要同步。`,
      recall(ask.purpose, ask.api),
      `它所属的流水是：${trimStop(ask.sentence)}。其他流水上的指令要使用它的结果时，需要等这条流水完成。`,
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${trimStop(ask.sentence)}。`,
  }
}

function topicCode(ask: Of<'topic-code'>): Draft {
  const about = ask.heading === '' || ask.heading === ask.page ? `“${ask.page}”` : `“${ask.page}”中的“${ask.heading}”`
  const lead = trimStop(ask.example.lead)
  const task = lead.length >= 4 && lead.length <= 120 && !ask.points.includes(ask.example.lead) ? `，要求：${lead}` : ''
  return {
    question: `针对${about}，请给出一段Ascend C代码${task}。`,
    reasoning: [
      `先想清楚${about}要做什么，再决定代码要调用哪些接口。`,
      ask.points.length > 0 ? `要点是：${ask.points.map(trimStop).join('；')}。` : '',
      `按这个思路，代码依次用到${list(ask.apis)}。`,
      ...stepsOf(ask.apis),
    ]
      .filter(Boolean)
      .join('\n'),
    answer: `${codeBlock(ask.example.code)}${ask.points.length > 0 ? `\n\n${bulletList(ask.points)}` : ''}`,
  }
}

const known: Record<string, string> = {
  InitBuffer: 'InitBuffer为队列或临时空间分配内存',
  SetGlobalBuffer: 'SetGlobalBuffer把GlobalTensor绑定到核函数的入参地址',
  AllocTensor: 'AllocTensor从队列取得空闲内存',
  EnQue: 'EnQue把张量交给下一个任务',
  DeQue: 'DeQue取出上一个任务交来的张量',
  FreeTensor: 'FreeTensor归还内存',
  SetBlockDim: 'SetBlockDim设置使用的核数',
  SaveToBuffer: 'SaveToBuffer把tiling结构序列化',
  GetBlockIdx: 'GetBlockIdx得到当前核的编号，用来计算偏移',
}

function stepsOf(apis: readonly string[]): string[] {
  const steps = apis.flatMap((api) => known[api] ?? [])
  return steps.length > 0 ? [`其中${steps.join('；')}。`] : []
}

function topic(ask: Of<'topic'>, random: Random): Draft {
  const about = ask.heading === '' || ask.heading === ask.page ? `“${ask.page}”` : `“${ask.page}”中的“${ask.heading}”`
  return {
    question: random.pick([
      `在Ascend C开发中，关于${about}，需要掌握哪些要点？`,
      `请解释Ascend C开发中${about}的关键内容。`,
    ]),
    reasoning: [
      `题目的范围是${about}，先确定它要解决什么，再找出必须记住的规则。`,
      ...ask.points.map(
        (point, index) =>
          `${index === 0 ? '首先' : index === ask.points.length - 1 ? '最后' : '然后'}，${trimStop(point)}。`,
      ),
      `归纳起来有${ask.points.length}点。`,
    ].join('\n'),
    answer: bulletList(ask.points),
  }
}
