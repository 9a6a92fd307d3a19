import type {HostFacts, KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../../cpp/code-pieces.ts'
import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {OperatorSource, Role, Side, SourceFile} from '../../../datasets/schema/operator.ts'
import type {Origin} from '../../../datasets/schema/origin.ts'
import {tilingBlocks} from '../../../cpp/tiling.ts'
import {code, paragraph, paragraphs, voice, type Voice} from '../../../datasets/voice.ts'
import type {Random} from '../../../engine/random.ts'
import {disagreements} from '../../facts/agreement.ts'
import {hostFacts} from '../../facts/host-facts.ts'
import {kernelFacts} from '../../facts/kernel-facts.ts'
import {isTooDeep} from '../../../cpp/parse.ts'
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

/** An attempt at a whole operator: its tiling data, host and kernel. */
interface WrittenOperator {
  operator: string
  origin: Origin
  files: readonly SourceFile[]
}

/**
 * The way to the files of an attempt, composed of what its own code says, whether it is right or wrong. In English, as
 * the request for a whole operator is. Undefined where host or kernel cannot be told, or where a check finds that the
 * text says what the code does not.
 */
export async function operatorReasoning(written: WrittenOperator, random: Random): Promise<string | undefined> {
  const [host, kernel] = [sourceOf(written, 'host', 'tiling'), sourceOf(written, 'kernel', 'kernel')]
  if (!host || !kernel) return undefined
  try {
    const facts = {host: await hostFacts(host), kernel: await kernelFacts(kernel)}
    if (facts.host.sets.length === 0 || facts.kernel.methods.length === 0) return undefined
    const code = {text: written.files.map((file) => file.text).join('\n'), constants: new Map(facts.kernel.constants)}
    const texts = Array.from({length: wordings}, () => composed({host, kernel, facts}, voice('en', random)))
    return texts.find((text) => isFounded(text, facts) && disagreements(text, code).length === 0)
  } catch (error) {
    if (isTooDeep(error)) return undefined
    throw error
  }
}

/** A claim may stand in one wording of a paragraph and not in another. */
const wordings = 4

/** Sentences that hold of an operator that works, with what an attempt must show for them. */
const claims: readonly {says: string; needs: (facts: Told['facts']) => boolean}[] = [
  {
    says: 'The values travel in ',
    needs: ({host}) => host.functions.some(({calls}) => calls.some(({name}) => name === 'SaveToBuffer')),
  },
  {
    says: 'writes back only what is valid',
    needs: ({kernel: {moves}}) => moves.some(({api, direction}) => api === 'DataCopyPad' && direction === 'out'),
  },
  {says: 'A single core does the whole work', needs: ({kernel}) => kernel.split.length === 0},
  {
    says: 'so all lists have the same length',
    needs: ({host: {definitions}}) => {
      const tensors = definitions.flatMap(({inputs, outputs}) => [...inputs, ...outputs])
      return new Set(tensors.map(({dtypes}) => dtypes.length)).size === 1
    },
  },
]

function isFounded(text: string, facts: Told['facts']): boolean {
  return claims.every(({says, needs}) => !text.includes(says) || needs(facts))
}

interface Told {
  host: OperatorSource
  kernel: OperatorSource
  facts: {host: HostFacts; kernel: KernelFacts}
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

/** The file of a side on which all hangs, with the side's other files. */
function sourceOf({operator, origin, files}: WrittenOperator, side: Side, role: Role): OperatorSource | undefined {
  const own = files.filter(({path}) => path.startsWith(`op_${side}/`))
  const isMain = ({text}: SourceFile) => (side === 'host' ? /\bTilingContext\b/ : /\b__global__\b/).test(text)
  const target = own.find(isMain)
  if (!target) return undefined
  const hostText = withoutComments(
    files.flatMap(({path, text}) => (path.startsWith('op_host/') ? text : [])).join('\n'),
  )
  return {
    origin,
    operator,
    side,
    role,
    target,
    dependencies: own.filter((file) => file !== target),
    externalIncludes: [],
    flattened: '',
    tiling: tilingBlocks(hostText)
      .map(({text}) => text)
      .join('\n'),
    dtypes: firstDtypes(hostText),
  }
}

function firstDtypes(hostText: string): Record<string, string> {
  const [definition] = parseOperatorDefinitions(hostText)
  const tensors = [...(definition?.inputs ?? []), ...(definition?.outputs ?? [])]
  return Object.fromEntries(tensors.flatMap(({name, dtypes: [first]}) => (first === undefined ? [] : [[name, first]])))
}
