import {familyOf} from '../../../cpp/interfaces.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {type Formula, formulas} from '../../facts/formula.ts'
import {includedFiles, otherChipsSentence} from './given-files.ts'
import {code, codeList, paragraph, some, type Voice} from '../../../datasets/voice.ts'

export function taskParagraph(source: OperatorSource, facts: KernelFacts, voice: Voice): string {
  const [entry] = facts.entries
  return paragraph(voice, [
    entry ? entrySentence(source, entry, voice) : partSentence(source, facts, voice),
    workSentence(facts, voice),
    givenSentence(source, voice),
    structureSentence(source, voice),
    otherChipsSentence(source, voice),
  ])
}

/** What is computed: by element, or else the kind of computation. */
export function workSentence(facts: KernelFacts, voice: Voice): string {
  const formula = elementwiseFormula(facts)
  return formula ? formulaSentence(formula, voice) : nature(facts, voice)
}

/** A kernel that reduces, sorts or gathers relates elements to each other, so no formula of one element tells it. */
function elementwiseFormula(facts: KernelFacts): Formula | undefined {
  if (facts.vectorCalls.some(({call}) => ['reduction', 'sort', 'gather'].includes(familyOf(call.name) ?? '')))
    return undefined
  return formulas(facts).find(({expression}) => expression !== '')
}

function entrySentence({operator}: OperatorSource, entry: KernelFacts['entries'][number], voice: Voice): string {
  const [what, name, parameters] = [code(operator), code(entry.name), codeList(entry.parameters, voice)]
  return voice.say(
    [
      `I have to write the kernel of ${what}; its entry ${name} receives the global addresses ${parameters}.`,
      `The task is the device side of ${what}: everything starts at ${name}, which is given ${parameters}.`,
    ],
    [
      `需要编写 ${what} 的核函数,入口 ${name} 的参数为 ${parameters}。`,
      `任务是 ${what} 的 Kernel 侧实现,入口 ${name} 接收 ${parameters}。`,
    ],
  )
}

function partSentence({operator, part}: OperatorSource, facts: KernelFacts, voice: Voice): string {
  if (part)
    return voice.say(
      `One function of ${code(operator)} is missing, ${code(part.name)}; its file shows what it works on.`,
      `${code(operator)} 缺少函数 ${code(part.name)},它所用到的成员见所在文件。`,
    )
  const held = contents(facts, voice)
  return voice.say(
    `This file is one part of ${code(operator)}: ${held}.`,
    `该文件是 ${code(operator)} 的一部分:${held}。`,
  )
}

function contents({classes, methods}: KernelFacts, voice: Voice): string {
  const owners = classes.map(({name}) => name)
  if (owners.length > 0) {
    const list = codeList(owners, voice)
    return voice.say(`it holds ${owners.length > 1 ? 'the classes' : 'the class'} ${list}`, `包含类 ${list}`)
  }
  const functions = [...new Set(methods.map(({syntax}) => syntax.name))]
  const list = codeList(some(functions, 5).shown, voice)
  return voice.say(`it holds the functions ${list}`, `包含函数 ${list}`)
}

function formulaSentence({output, expression}: Formula, voice: Voice): string {
  const formula = code(`${output} = ${expression}`)
  return voice.say(
    [
      `Element by element the result is ${formula},`,
      'so no element depends on its neighbours and the data can be cut anywhere.',
    ].join(' '),
    `逐元素来看结果为 ${formula},元素之间互不依赖,因此数据可以在任意位置切分。`,
  )
}

/** What kind of computation it is, by the instructions that give it away. */
function nature({vectorCalls, matrixCalls, moves, steps}: KernelFacts, voice: Voice): string {
  const names = new Set(vectorCalls.map(({call}) => call.name))
  const reductions = [...names].filter((name) => /Reduce/.test(name))
  if (matrixCalls.length > 0) return matrixSentence(matrixCalls, voice)
  if (reductions.length > 0) return reductionSentence(reductions, voice)
  if (names.has('Sort32') || names.has('MrgSort'))
    return voice.say('It sorts, so partial results have to be merged.', '计算包含排序,各部分结果需要再归并。')
  // Instructions of an included file are not counted here, so those of this one alone would be no answer.
  if (steps.some(({from = ''}) => from !== '')) return ''
  if (names.size > 0) {
    const list = codeList(some([...names], 8).shown, voice)
    const isLong = names.size > 8
    return voice.say(
      `It takes the vector ${names.size > 1 ? 'instructions' : 'instruction'} ${list}${isLong ? ' and others' : ''}.`,
      `所用的矢量指令为 ${list}${isLong ? ' 等' : ''}。`,
    )
  }
  return moves.length > 0 ? voice.say('It mainly moves data.', '主要工作是数据搬运。') : ''
}

function matrixSentence(calls: readonly string[], voice: Voice): string {
  const shown = codeList(some(calls, 4).shown, voice)
  return voice.say(
    `It needs the cube unit, driven through the matrix interface (${shown}).`,
    `需要使用 Cube 单元,通过矩阵接口(${shown})驱动。`,
  )
}

function reductionSentence(reductions: readonly string[], voice: Voice): string {
  const shown = codeList(reductions, voice)
  return voice.say(
    `It contains a reduction (${shown}), so a result depends on many elements instead of one.`,
    `计算中包含归约(${shown}),一个结果取决于多个元素。`,
  )
}

function givenSentence(source: OperatorSource, voice: Voice): string {
  const paths = includedFiles(source)
  if (paths.length === 0) return ''
  const list = codeList(paths, voice)
  return voice.say(
    `${list} ${paths.length > 1 ? 'exist' : 'exists'} already, so I include what I need and do not repeat it.`,
    `${list} 已经存在,直接包含使用,不再重复实现。`,
  )
}

function structureSentence({target, tiling}: OperatorSource, voice: Voice): string {
  const structure = /BEGIN_TILING_DATA_DEF\s*\(\s*(\w+)\s*\)/.exec(tiling)?.[1]
  if (structure === undefined || !new RegExp(`\\b${structure}\\b`).test(target.text)) return ''
  return voice.say(
    `The structure ${code(structure)} is generated from the host side's declaration.`,
    `结构体 ${code(structure)} 由 Host 侧的声明生成。`,
  )
}
