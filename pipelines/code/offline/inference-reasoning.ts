import type {InferenceFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {isNullCheck} from '../../facts/inference-facts.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import {flowSentence} from './flow-paragraph.ts'
import {decidedShapes, sharedRules} from './shape-sentences.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'

/** From what is known of the inputs to the shape of the outputs, then types, refusals and registration. */
export function inferenceReasoning(source: OperatorSource, facts: InferenceFacts, voice: Voice): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    readParagraph(facts, voice),
    ruleParagraph(facts, voice),
    decidedShapes(facts, voice),
    stepParagraph(facts, voice),
    unknownParagraph(facts, voice),
    refusalParagraph(facts, voice),
    registrationParagraph(facts, voice),
  ])
}

function taskParagraph({target, operator}: OperatorSource, facts: InferenceFacts, voice: Voice): string {
  const [path, name] = [code(target.path), code(operator)]
  const functions = facts.functions.map((one) => one.name)
  return paragraph(voice, [
    voice.say(
      [
        [
          `${path} runs on the host: before ${name} can be launched,`,
          'the framework must know how large its outputs are, and it knows only the inputs.',
          'The kernel is not involved, so the rule has to be stated here once more in shapes.',
        ].join(' '),
        [
          `The framework allocates the outputs of ${name} before anything runs,`,
          `so ${path} must derive their shape from what is known on the host:`,
          'shapes and types of inputs, values of attributes, and tensor data only where the host has it.',
        ].join(' '),
      ],
      [
        `${path} 运行在 Host 侧:下发 ${name} 之前框架必须知道输出有多大,而它只知道输入,因此要在这里用 shape 的形式写出规则。`,
        `框架要先为 ${name} 的输出分配内存,${path} 只能依据 Host 侧已知的信息推导:输入的 shape 与类型、属性的值。`,
      ],
    ),
    functions.length > 1
      ? voice.say(
          `I split it into ${codeList(some(functions, 10).shown, voice)}.`,
          `拆分为 ${codeList(some(functions, 10).shown, voice)}。`,
        )
      : '',
  ])
}

function readParagraph({reads}: InferenceFacts, voice: Voice): string {
  const told = (list: readonly string[]) =>
    codeList(
      some(
        list.filter((one) => one.length <= 80),
        8,
      ).shown,
      voice,
    )
  const [inputs, values, attributes] = [told(reads.inputs), told(reads.values), told(reads.attributes)]
  return paragraph(voice, [
    inputs === '' ? '' : voice.say(`Of the inputs it asks ${inputs}.`, `从输入读取 ${inputs}。`),
    values === ''
      ? ''
      : voice.say(
          [
            `${values} reads values, not only a shape: the result depends on what the tensor holds,`,
            'so that tensor must be available on the host.',
          ].join(' '),
          `${values} 读取的是张量的值而不只是 shape:结果取决于其内容,因此该张量必须在 Host 侧可见。`,
        ),
    attributes === '' ? '' : voice.say(`Of the attributes it asks ${attributes}.`, `从属性读取 ${attributes}。`),
  ])
}

function ruleParagraph({rules: names}: InferenceFacts, voice: Voice): string {
  const known = names.filter((name) => sharedRules[name])
  const other = names.filter((name) => !sharedRules[name])
  return paragraph(voice, [
    ...known.map((name) =>
      voice.say(
        `The rule is a common one, so it need not be written again: by ${code(name)} ${sharedRules[name]!.en}.`,
        `这是通用规则,不必重写:${code(name)} 使${sharedRules[name]!.zh}。`,
      ),
    ),
    other.length > 0
      ? voice.say(
          `Shared rules are used for the rest: ${codeList(other, voice)}.`,
          `复用已有的推导函数:${codeList(other, voice)}。`,
        )
      : '',
  ])
}

/** Functions that are told step by step. */
const mostFunctions = 7

function stepParagraph({functions}: InferenceFacts, voice: Voice): string {
  // A success in a branch ends the function early; only the last one says nothing.
  const isLast = (one: Statement) => one.branches.length === 0 && /^(?:ge::)?GRAPH_SUCCESS$/.test(one.text)
  const keep = (one: Statement) => !isLast(one) && !isNullCheck(one)
  const sentences = functions.slice(0, mostFunctions).map((flow) => flowSentence(flow, voice, {keep, most: 36}))
  const told = sentences.filter((one) => one !== '')
  return told.length === 0 ? '' : paragraph(voice, [voice.say('Step by step:', '具体步骤:'), ...told])
}

function unknownParagraph({handlesUnknownRank, handlesUnknownDims, axes}: InferenceFacts, voice: Voice): string {
  const turn = axes.length > 1 ? 'turn' : 'turns'
  return paragraph(voice, [
    handlesUnknownRank
      ? voice.say(
          [
            'While a graph is built even the rank of an input may be unknown;',
            'asking such a shape for its dimensions would read nonsense, so this case is looked for.',
          ].join(' '),
          '构图时输入的维度数可能未知,此时不能再逐维读取,因此专门判断这种情况。',
        )
      : '',
    handlesUnknownDims
      ? voice.say(
          [
            'A single dimension may be unknown as well (-1);',
            'it must come out as unknown and not enter the arithmetic as a number.',
          ].join(' '),
          '单个维度也可能未知(-1),应当以未知值输出,不能当作普通数字参与运算。',
        )
      : '',
    axes.length > 0
      ? voice.say(
          [
            'A negative axis counts from the back;',
            `${codeList(some(axes, 3).shown, voice)} ${turn} it into an index from the front.`,
          ].join(' '),
          `负的轴从末尾数起,由 ${codeList(some(axes, 3).shown, voice)} 转换为正向下标。`,
        )
      : '',
  ])
}

function refusalParagraph({refusals, nulls}: InferenceFacts, voice: Voice): string {
  const {shown, more} = some(refusals, 6)
  const rest = more > 0 ? `, and in ${more} more ${more > 1 ? 'cases' : 'case'}` : ''
  return paragraph(voice, [
    nulls.length > 0
      ? voice.say(
          [
            'Pointers that the framework hands over may be null:',
            `${codeList(some(nulls, 8).shown, voice)} ${nulls.length > 1 ? 'are' : 'is'} checked before use.`,
          ].join(' '),
          `框架给出的指针可能为空,使用前检查 ${codeList(some(nulls, 8).shown, voice)}。`,
        )
      : '',
    shown.length > 0
      ? voice.say(
          [
            'Inference fails, instead of handing on a wrong size,',
            `where ${shown.map(code).join(' or ')} holds${rest}.`,
          ].join(' '),
          `${shown.map(code).join('、')}${more > 0 ? ` 等 ${refusals.length} 种情况` : ''} 成立时推导失败,避免把错误的大小传下去。`,
        )
      : '',
  ])
}

function registrationParagraph({registrations}: InferenceFacts, voice: Voice): string {
  return paragraph(
    voice,
    registrations.map(({macro, calls}) => {
      const bound = calls.filter(({args}) => args !== '').map(({name, args}) => `${name}(${args})`)
      const list = bound.length > 0 ? codeList(bound, voice) : ''
      const dependency = calls.some(({name}) => name === 'InputsDataDependency')
      const binding =
        list === ''
          ? voice.say(`${code(macro)} registers the file's functions.`, `${code(macro)} 完成注册。`)
          : voice.say(`${code(macro)} binds ${list} to the operator.`, `${code(macro)} 把 ${list} 绑定到算子。`)
      return paragraph(voice, [
        binding,
        dependency
          ? voice.say(
              `${code('InputsDataDependency')} makes the framework hand over the values of those inputs.`,
              `${code('InputsDataDependency')} 让框架提供这些输入的值。`,
            )
          : '',
      ])
    }),
  )
}
