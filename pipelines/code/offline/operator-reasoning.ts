import type {KernelFacts, OperatorFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {code, paragraph, paragraphs, voice, type Language, type Voice} from '../../../datasets/voice.ts'
import type {Random} from '../../../engine/random.ts'
import {disagreements} from '../../facts/agreement.ts'
import {sideOfOperator, type WrittenOperator} from '../../facts/operator-source.ts'
import {closingParagraph} from './closing-paragraph.ts'
import {computeParagraph} from './compute-paragraph.ts'
import {dispatchParagraph, loopParagraph} from './control-paragraphs.ts'
import {conversionParagraph} from './conversion-paragraph.ts'
import {definitionParagraph, launchParagraph, refusalParagraph} from './host-duties-paragraphs.ts'
import {formulaParagraph, inputsParagraph, platformParagraph} from './host-sizes-paragraphs.ts'
import {workSentence} from './kernel-task-paragraph.ts'
import {memoryParagraph} from './memory-paragraph.ts'
import {movementParagraph} from './movement-paragraph.ts'
import {scalarParagraph} from './scalar-paragraph.ts'
import {splitParagraph} from './split-paragraph.ts'
import {synchronisationParagraph} from './synchronisation-paragraph.ts'
import {structureParagraph} from './tiling-structure-paragraph.ts'

/**
 * The way to the files of an attempt, composed of what its own code says, whether it is right or wrong. Undefined where
 * host or kernel cannot be told, or where a check finds that the text says what the code does not.
 */
export function operatorReasoning(
  written: WrittenOperator,
  facts: OperatorFacts,
  {language, random}: {language: Language; random: Random},
): string | undefined {
  const [host, kernel] = [sideOfOperator(written, 'host'), sideOfOperator(written, 'kernel')]
  if (!host || !kernel || facts.host.sets.length === 0 || facts.kernel.methods.length === 0) return undefined
  const code = {text: written.files.map((file) => file.text).join('\n'), constants: new Map(facts.kernel.constants)}
  const texts = Array.from({length: wordings}, () => composed({host, kernel, facts}, voice(language, random)))
  return texts.find((text) => isFounded(text, facts) && disagreements(text, code).length === 0)
}

/** A claim may stand in one wording of a paragraph and not in another. */
const wordings = 4

/** Sentences that hold of an operator that works, with what an attempt must show for them. */
const claims: readonly {says: readonly [en: string, zh: string]; needs: (facts: OperatorFacts) => boolean}[] = [
  {
    says: ['The values travel in ', '这些数值通过 '],
    needs: ({host}) => host.functions.some(({calls}) => calls.some(({name}) => name === 'SaveToBuffer')),
  },
  {
    says: ['writes back only what is valid', '写回时只写有效数据'],
    needs: ({kernel: {moves}}) => moves.some(({api, direction}) => api === 'DataCopyPad' && direction === 'out'),
  },
  {says: ['A single core does the whole work', '整个计算由一个核完成'], needs: ({kernel}) => kernel.split.length === 0},
  {
    says: ['so all lists have the same length', '种组合,长度必须一致'],
    needs: ({host: {definitions}}) => {
      const tensors = definitions.flatMap(({inputs, outputs}) => [...inputs, ...outputs])
      return new Set(tensors.map(({dtypes}) => dtypes.length)).size === 1
    },
  },
]

function isFounded(text: string, facts: OperatorFacts): boolean {
  return claims.every(({says, needs}) => !says.some((words) => text.includes(words)) || needs(facts))
}

interface Told {
  host: OperatorSource
  kernel: OperatorSource
  facts: OperatorFacts
}

function composed({host, kernel, facts}: Told, speaker: Voice): string {
  return paragraphs([
    paragraph(speaker, [taskSentence(host, speaker), workSentence(facts.kernel, speaker)]),
    platformParagraph(facts.host, speaker),
    inputsParagraph(facts.host, speaker),
    formulaParagraph(facts.host, speaker),
    structureParagraph(facts.host, speaker),
    launchParagraph(facts.host, speaker),
    refusalParagraph(facts.host, speaker),
    definitionParagraph(facts.host, speaker),
    paragraph(speaker, [kernelSentence(facts.kernel, speaker), splitParagraph(facts.kernel, speaker)]),
    memoryParagraph(kernel, facts.kernel, speaker),
    movementParagraph(facts.kernel, speaker),
    computeParagraph(facts.kernel, speaker),
    scalarParagraph(facts.kernel, speaker),
    conversionParagraph(facts.kernel, speaker),
    synchronisationParagraph(facts.kernel, speaker),
    loopParagraph(facts.kernel, speaker),
    dispatchParagraph(facts.kernel, speaker),
    closingParagraph(facts.kernel, speaker),
  ])
}

function taskSentence({operator}: OperatorSource, {say}: Voice): string {
  const what = code(operator)
  return say(
    [
      `${what} is to be written whole: tiling data, host and kernel.`,
      `Three things are asked for: the tiling data of ${what}, its host side and its kernel.`,
    ],
    `需要完整实现 ${what}:tiling 数据、Host 侧与核函数。`,
  )
}

function kernelSentence({entries: [entry]}: KernelFacts, {say}: Voice): string {
  return entry ? say(`Now the kernel, ${code(entry.name)}.`, `再看核函数 ${code(entry.name)}。`) : ''
}
