import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {includedFiles, otherChipsSentence} from './given-files.ts'
import {definitionParagraph, launchParagraph, refusalParagraph} from './host-duties-paragraphs.ts'
import {formulaParagraph, inputsParagraph, platformParagraph} from './host-sizes-paragraphs.ts'
import {code, codeList, paragraph, paragraphs, some, type Voice} from '../../../datasets/voice.ts'
import {structureParagraph} from './tiling-structure-paragraph.ts'

/** From the operator's interface to the tiling values that its kernel needs; a step without facts is left out. */
export function hostReasoning(source: OperatorSource, facts: HostFacts, voice: Voice): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    platformParagraph(facts, voice),
    inputsParagraph(facts, voice),
    formulaParagraph(facts, voice),
    structureParagraph(facts, voice),
    launchParagraph(facts, voice),
    refusalParagraph(facts, voice),
    definitionParagraph(facts, voice),
  ])
}

function taskParagraph(source: OperatorSource, facts: HostFacts, voice: Voice): string {
  const {operator, target} = source
  const stubs = new Set(facts.flows.filter(isStub).map(({name}) => name))
  const isWorthNaming = ({name, lines}: HostFacts['functions'][number]) =>
    lines[1] - lines[0] >= 3 && name !== operator && !stubs.has(name)
  const functions = [...new Set(facts.functions.filter(isWorthNaming).map(({name}) => name))]
  const given = includedFiles(source)
  const decides = facts.sets.length + facts.launch.cores.length + facts.launch.keys.length > 0
  const [what, path] = [code(operator), code(target.path)]
  return paragraph(voice, [
    decides ? dutySentence(what, path, voice) : partSentence(what, path, voice),
    functions.length > 1 ? functionsSentence(functions, voice) : '',
    given.length > 0 ? givenSentence(given, voice) : '',
    otherChipsSentence(source, voice),
  ])
}

/** A function that only gives back a constant takes no part in the work. */
export function isStub({statements: [only, ...others]}: HostFacts['flows'][number]): boolean {
  return others.length === 0 && (only === undefined || (only.kind === 'return' && /^[\w:]*$/.test(only.text)))
}

function dutySentence(operator: string, path: string, voice: Voice): string {
  return voice.say(
    [
      [
        `The kernel of ${operator} cannot know shapes or the number of cores at compile time;`,
        `${path} has to work both out on the host and hand them over.`,
      ].join(' '),
      `On the host, ${path} decides how ${operator} is cut into pieces before any core starts.`,
    ],
    [
      `${operator} 的核函数在编译期不知道 shape 和核数,需要由 ${path} 在 Host 侧算好再传给它。`,
      `${path} 负责在下发任务之前决定 ${operator} 的数据如何切分。`,
    ],
  )
}

function partSentence(operator: string, path: string, voice: Voice): string {
  return voice.say(
    [
      `${path} is a part of the host side of ${operator} that others of its files build on.`,
      `In ${path} stands what the tiling of ${operator} needs; the launch itself is not set up here.`,
    ],
    [
      `${path} 是 ${operator} Host 侧的一部分,供其他文件使用。`,
      `${path} 提供 ${operator} 的 tiling 所需的内容,启动参数不在此设置。`,
    ],
  )
}

function functionsSentence(names: readonly string[], voice: Voice): string {
  const {shown, more} = some(names, 6)
  const list = codeList(shown, voice)
  const rest = ` and ${more} more ${more > 1 ? 'functions' : 'function'}`
  return voice.say(
    `I divide the work into ${list}${more > 0 ? rest : ''}.`,
    `实现拆成 ${list}${more > 0 ? ` 等 ${names.length} 个函数` : ''}。`,
  )
}

function givenSentence(paths: readonly string[], voice: Voice): string {
  const list = codeList(paths, voice)
  return voice.say(
    `${list} ${paths.length > 1 ? 'are' : 'is'} given and only included.`,
    `${list} 已提供,直接包含即可。`,
  )
}
