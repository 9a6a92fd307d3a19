import type {DefinedTensor, DefinitionFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {attributeText, chipGroups, columnText, formatText, sharedColumns, tensorList} from './definition-sentences.ts'
import {code, codeList, paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'

/** What a definition has to decide, in the order of the file: tensors, types, attributes, chips. */
export function definitionReasoning(source: OperatorSource, facts: DefinitionFacts, voice: Voice): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    tensorParagraph(facts, voice),
    typeParagraph(facts, voice),
    propertyParagraph(facts, voice),
    attributeParagraph(facts, voice),
    chipParagraph(facts, voice),
    closingParagraph(facts, voice),
  ])
}

function taskParagraph({target}: OperatorSource, {operator}: DefinitionFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  return voice.say(
    [
      `${path} computes nothing; it tells the framework what ${name} accepts, and the build makes from it`,
      'the interface and one kernel binary per combination of types and chip. So every list must be exact:',
      `class ${name} derives from ${code('OpDef')} and its constructor makes the whole description.`,
    ].join(' '),
    [
      `${path} 不做计算,只向框架说明 ${name} 接受什么;编译工程据此生成接口,并为每种类型组合与芯片编译 kernel,`,
      `因此列表必须准确。类 ${name} 继承 ${code('OpDef')},在构造函数中完成全部描述。`,
    ].join(''),
  )
}

function tensorParagraph({tensors}: DefinitionFacts, voice: Voice): string {
  const inputs = tensors.filter(({direction}) => direction === 'input')
  const outputs = tensors.filter(({direction}) => direction === 'output')
  if (tensors.length === 0) return ''
  return paragraph(voice, [
    inputs.length > 0
      ? voice.say(
          [
            `First the tensors. Inputs in order: ${tensorList(inputs, voice)};`,
            'this order is the index by which host functions ask for them.',
          ].join(' '),
          `先定张量。输入依次为 ${tensorList(inputs, voice)},Host 侧函数按这一顺序的下标取用。`,
        )
      : '',
    outputs.length > 0
      ? voice.say(`Outputs: ${tensorList(outputs, voice)}.`, `输出为 ${tensorList(outputs, voice)}。`)
      : '',
    kindSentence(tensors, 'optional', voice),
    kindSentence(tensors, 'dynamic', voice),
    inPlaceSentence(inputs, outputs, voice),
  ])
}

function kindSentence(tensors: readonly DefinedTensor[], kind: 'optional' | 'dynamic', voice: Voice): string {
  const names = tensors.filter((one) => one.kind === kind).map(({name}) => name)
  if (names.length === 0) return ''
  const [list, dynamic] = [codeList(names, voice), code('ParamType(DYNAMIC)')]
  return kind === 'optional'
    ? voice.say(
        `${list} may be left out by the caller, hence ${code('ParamType(OPTIONAL)')}.`,
        `${list} 调用时可以不传,因此用 ${code('ParamType(OPTIONAL)')}。`,
      )
    : voice.say(
        `${list} ${names.length > 1 ? 'stand' : 'stands'} for any number of tensors, hence ${dynamic}.`,
        `${list} 表示个数不定的张量列表,因此用 ${code('ParamType(DYNAMIC)')}。`,
      )
}

function inPlaceSentence(inputs: readonly DefinedTensor[], outputs: readonly DefinedTensor[], voice: Voice): string {
  const names = outputs.filter((one) => inputs.some(({name}) => name === one.name)).map(({name}) => name)
  if (names.length === 0) return ''
  const list = codeList(names, voice)
  const [are, update] = names.length > 1 ? ['are', 'they are'] : ['is', 'it is']
  return voice.say(
    `${list} ${are} named both as input and as output: ${update} updated in place.`,
    `${list} 同名出现在输入与输出中,即原地更新。`,
  )
}

function typeParagraph(facts: DefinitionFacts, voice: Voice): string {
  const {columns, tensors} = facts
  if (columns.length === 0) return freeTypesParagraph(facts, voice)
  const formats = formatText(tensors, voice)
  const count = columns.length
  return paragraph(voice, [
    voice.say(
      [
        `Next the types. The lists of ${code('DataType')} are read as one table: entry i of every list together is the`,
        `i-th combination, so ${count === 1 ? 'each list has one entry' : `all lists have ${count} entries`}.`,
      ].join(' '),
      `再定类型。各 ${code('DataType')} 列表按列组成一张表,所有列表的第 i 项合起来是第 i 种组合,因此长度都为 ${count}。`,
    ),
    voice.say(`The columns are ${columnText(facts, voice)}.`, `各列为 ${columnText(facts, voice)}。`),
    relationSentence(facts, voice),
    formats === ''
      ? ''
      : voice.say(`The format lists follow the same columns; ${formats}.`, `格式列表与类型按同样的列对应;${formats}。`),
  ])
}

/** Tensors whose lists cannot be read as columns: each is told with its own. */
function freeTypesParagraph({tensors}: DefinitionFacts, voice: Voice): string {
  const read = tensors.filter(({dtypes}) => dtypes.length > 0)
  if (read.length === 0) return ''
  const texts = read.map(({name, dtypes}) => `${code(name)} ${[...new Set(dtypes)].map(code).join('/')}`)
  return voice.say(`Types: ${texts.join('; ')}.`, `类型:${texts.join(';')}。`)
}

/** What the table says beyond its entries: who follows whom, and whether it is a product of two lists. */
function relationSentence({tensors, columns}: DefinitionFacts, voice: Voice): string {
  const groups = sharedColumns(tensors)
  const [first, second] = groups
  if (columns.length < 2 || !first) return ''
  if (groups.length === 1 && first.names.length > 1)
    return voice.say(
      `Every tensor has the type of ${code(first.names[0]!)} in each column, so no combination mixes types.`,
      `每一列中各张量类型都与 ${code(first.names[0]!)} 相同,不存在混合类型。`,
    )
  const varying = groups.filter(({dtypes}) => new Set(dtypes).size > 1)
  const sizes = varying.map(({dtypes}) => new Set(dtypes).size)
  const distinct = new Set(columns.map((one) => one.join())).size
  if (varying.length === 2 && distinct === columns.length && sizes[0]! * sizes[1]! === columns.length)
    return voice.say(
      [
        `They are the product of two choices: the ${sizes[0]} types of ${codeList(varying[0]!.names, voice)}`,
        `with each of the ${sizes[1]} of ${codeList(varying[1]!.names, voice)},`,
        'written out because a table knows no wildcard.',
      ].join(' '),
      [
        `它们是两组选择的乘积:${codeList(varying[0]!.names, voice)} 的 ${sizes[0]} 种类型与 `,
        `${codeList(varying[1]!.names, voice)} 的 ${sizes[1]} 种类型逐一组合,表中没有通配,只能全部展开。`,
      ].join(''),
    )
  if (distinct < columns.length && differInFormat(tensors, columns))
    return voice.say(
      'Some columns repeat a combination of types; they differ in their formats.',
      '有些列的类型组合相同,区别在格式列表。',
    )
  const apart = second ? differing(first.dtypes, second.dtypes).length : 0
  if (second && groups.length === 2 && apart * 2 <= columns.length) {
    const [one, other] = [codeList(first.names, voice), codeList(second.names, voice)]
    return voice.say(
      `${other} differs from ${one} in ${apart} of ${columns.length} columns.`,
      `${other} 与 ${one} 在 ${columns.length} 列中有 ${apart} 列不同。`,
    )
  }
  return ''
}

function differInFormat(tensors: readonly DefinedTensor[], columns: DefinitionFacts['columns']): boolean {
  const keys = columns.map((one, index) => [...one, ...tensors.map(({formats}) => formats[index] ?? '')].join())
  return new Set(keys).size === columns.length
}

function differing(a: readonly string[], b: readonly string[]): number[] {
  return a.flatMap((dtype, index) => (dtype === b[index] ? [] : [index]))
}

/** What a property of a tensor is for. Source: the vendor's reference of OpParamDef, in our words. */
const meanings: readonly {pattern: RegExp; en: string; zh: string}[] = [
  {
    pattern: /^ValueDepend\(/,
    en: 'its values, not only its shape, are needed on the host by tiling or shape inference',
    zh: 'tiling 或 shape 推导需要它的具体数值,而不只是 shape',
  },
  {
    pattern: /^AutoContiguous\(/,
    en: 'the generated interface makes a non-contiguous tensor contiguous before the kernel sees it',
    zh: '生成的接口会先把非连续张量转成连续的',
  },
  {
    pattern: /^IgnoreContiguous\(/,
    en: 'the framework skips the check for contiguity, as the implementation handles it',
    zh: '框架不再校验连续性,由实现自行处理',
  },
  {
    pattern: /^Follow\(/,
    en: 'the type and format come from the tensor that it names, so no list of its own has to be kept equal',
    zh: '类型与格式跟随所指的张量,不必再单独维护列表',
  },
  {
    pattern: /^Scalar(?:List)?\(/,
    en: 'the single-operator interface takes it as a scalar on the host',
    zh: '单算子接口中以 Host 标量传入',
  },
]

function propertyParagraph({tensors}: DefinitionFacts, voice: Voice): string {
  const properties = [...new Set(tensors.flatMap((one) => one.properties))]
  return paragraph(
    voice,
    properties.map((property) => {
      const names = [...new Set(tensors.filter((one) => one.properties.includes(property)).map(({name}) => name))]
      const list = codeList(names, voice)
      const meaning = meanings.find(({pattern}) => pattern.test(property))
      return meaning
        ? voice.say(`${code(property)} on ${list}: ${meaning.en}.`, `${list} 上的 ${code(property)}:${meaning.zh}。`)
        : voice.say(`${list} also needs ${code(property)}.`, `${list} 还要设置 ${code(property)}。`)
    }),
  )
}

function attributeParagraph(facts: DefinitionFacts, voice: Voice): string {
  const {attributes} = facts
  if (attributes.length === 0) return ''
  const optional = attributes.filter(({isRequired}) => !isRequired)
  return paragraph(voice, [
    voice.say(
      `Attributes, again in the order in which host functions count them: ${attributeText(facts, voice)}.`,
      `属性同样按 Host 侧取用的下标顺序声明:${attributeText(facts, voice)}。`,
    ),
    optional.length > 0 && optional.every((one) => one.default !== '')
      ? voice.say(
          `An optional attribute needs its default here, because a caller may leave it out.`,
          '可选属性在这里给出默认值,调用者可以省略。',
        )
      : '',
  ])
}

/** Source: the vendor's reference of OpAICoreConfig, in our words. */
const flagMeanings: readonly {pattern: RegExp; en: string; zh: string}[] = [
  {pattern: /^DynamicCompileStaticFlag\(true/, en: 'static shapes are compiled, too', zh: '支持静态 shape 编译'},
  {pattern: /^DynamicFormatFlag\(true/, en: 'types and formats may be derived', zh: '可自动推导类型与格式'},
  {
    pattern: /^DynamicFormatFlag\(false/,
    en: 'types and formats are those of the lists',
    zh: '类型与格式以列表为准,不做推导',
  },
  {pattern: /^DynamicRankSupportFlag\(true/, en: 'the rank may be unknown', zh: '支持动态维度数'},
  {pattern: /^DynamicShapeSupportFlag\(true/, en: 'the shape may be unknown', zh: '支持动态 shape'},
  {pattern: /^DynamicRankSupportFlag\(false/, en: 'the rank must be known', zh: '不支持动态维度数'},
  {pattern: /^DynamicShapeSupportFlag\(false/, en: 'the shape must be known', zh: '不支持动态 shape'},
  {
    pattern: /^PrecisionReduceFlag\(true/,
    en: 'with mixed precision the framework may lower it from float32',
    zh: '混合精度模式下允许由 float32 降低精度',
  },
  {
    pattern: /^PrecisionReduceFlag\(false/,
    en: 'mixed precision leaves its types alone',
    zh: '混合精度模式下不降低精度',
  },
  {
    pattern: /^NeedCheckSupportFlag\(false/,
    en: 'no extra support check is called',
    zh: '不调用额外的支持性校验函数',
  },
  {pattern: /^ExtendCfgInfo\("opFile\.value"/, en: 'names the kernel source', zh: '指明 kernel 源文件'},
  {pattern: /^ExtendCfgInfo\("opInterface\.value"/, en: 'names the kernel function', zh: '指明 kernel 入口函数'},
]

function chipParagraph(facts: DefinitionFacts, voice: Voice): string {
  const groups = chipGroups(facts)
  if (groups.length === 0) return ''
  return paragraph(voice, [
    voice.say('Last the chips.', '最后是芯片。'),
    ...groups.map(({chips, flags, tensors}) => {
      const list = codeList(chips, voice)
      if (flags.length === 0 && tensors.length === 0)
        return voice.say(
          `${list} ${chips.length > 1 ? 'take' : 'takes'} the default configuration and the table above.`,
          `${list} 使用默认配置与上面的类型表。`,
        )
      const texts = flags.map((flag) => {
        const meaning = flagMeanings.find(({pattern}) => pattern.test(flag))
        return meaning ? voice.say(`${code(flag)} (${meaning.en})`, `${code(flag)}(${meaning.zh})`) : code(flag)
      })
      const given = texts.length > 0 ? voice.say(`set ${voice.list(texts)}`, `设置 ${voice.list(texts)}`) : ''
      const own = overrideText(facts, tensors, voice)
      return voice.say(
        `For ${list} I ${[given, own].filter(Boolean).join(' and ')}.`,
        `${list} ${[given, own].filter(Boolean).join(',并')}。`,
      )
    }),
  ])
}

/** A chip's own table, by what it has and what the operator's has beyond it. */
function overrideText({tensors: all}: DefinitionFacts, tensors: readonly DefinedTensor[], voice: Voice): string {
  if (tensors.length === 0) return ''
  const kinds = (list: readonly DefinedTensor[]) => new Set(list.flatMap(({dtypes}) => dtypes))
  const before = all.filter((one) => tensors.some(({name}) => name === one.name))
  const missing = [...kinds(before)].filter((dtype) => !kinds(tensors).has(dtype))
  const names = codeList([...new Set(tensors.map(({name}) => name))], voice)
  const isRead = tensors.every(({dtypes}) => dtypes.length > 0)
  const added = [...kinds(tensors)].filter((dtype) => !kinds(before).has(dtype))
  const without = isRead && missing.length > 0 ? codeList(missing, voice) : ''
  const beyond = added.length > 0 ? codeList(added, voice) : ''
  const [lost, gained] = [without, beyond].map((one) => one !== '')
  return voice.say(
    `describe ${names} anew${lost ? `, without ${without}` : ''}${gained ? `, with ${beyond} added` : ''}`,
    `重新描述 ${names}${lost ? `,其中没有 ${without}` : ''}${gained ? `,另外支持 ${beyond}` : ''}`,
  )
}

function closingParagraph({registration, others, operator}: DefinitionFacts, voice: Voice): string {
  return paragraph(voice, [
    others.length > 0
      ? voice.say(`The operator itself gets ${codeList(others, voice)}.`, `算子本身再设置 ${codeList(others, voice)}。`)
      : '',
    registration === ''
      ? ''
      : voice.say(
          `${code(registration)} after the class makes ${code(operator)} known.`,
          `类之后用 ${code(registration)} 完成 ${code(operator)} 的注册。`,
        ),
  ])
}
