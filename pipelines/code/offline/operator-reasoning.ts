import type {KernelFacts, OperatorFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {code, paragraphs, voice, type Language, type Voice} from '../../../datasets/voice.ts'
import type {Random} from '../../../engine/random.ts'
import {disagreements} from '../../facts/agreement.ts'
import {hostDecisions} from '../../facts/decisions/host-decisions.ts'
import {widthsOf} from '../../facts/decisions/host-view.ts'
import {kernelDecisions} from '../../facts/decisions/kernel-decisions.ts'
import {sideOfOperator, type WrittenOperator} from '../../facts/operator-source.ts'
import {tellDecisions} from '../../telling/tell-decisions.ts'
import {tell, type Message} from '../../telling/tell-message.ts'
import {placeMessage, type Place} from './place-message.ts'

/**
 * The way to the files of an attempt, composed of what its own code says, whether it is correct or wrong. Undefined if
 * host or kernel cannot be described, or if a check finds that the text contradicts the code.
 * @param place a line that is argued for as well
 */
export function operatorReasoning(
  written: WrittenOperator,
  facts: OperatorFacts,
  {language, random, place}: {language: Language; random: Random; place?: Place | undefined},
): string | undefined {
  const [host, kernel] = [sideOfOperator(written, 'host'), sideOfOperator(written, 'kernel')]
  if (!host || !kernel || facts.host.sets.length === 0 || facts.kernel.methods.length === 0) return undefined
  const at = place && placeMessage(written.files, place)
  const code = {text: written.files.map((file) => file.text).join('\n'), constants: new Map(facts.kernel.constants)}
  const texts = Array.from({length: wordings}, () => composed({host, kernel, facts, at}, voice(language, random)))
  return texts.find((text) => disagreements(text, code).length === 0)
}

/** A check may refute one wording of a paragraph, but not another. */
const wordings = 4

interface Told {
  host: OperatorSource
  kernel: OperatorSource
  facts: OperatorFacts
  at: {isHost: boolean; message: Message} | undefined
}

function composed({host, kernel, facts, at}: Told, speaker: Voice): string {
  return paragraphs([
    ...tellDecisions(hostDecisions(host, facts.host).filter(isShared(facts)), speaker),
    at?.isHost ? tell(at.message, speaker) : '',
    kernelSentence(facts.kernel, speaker),
    ...tellDecisions(kernelDecisions(kernel, facts.kernel, {}, widthsOf(facts.host.definitions)), speaker),
    at && !at.isHost ? tell(at.message, speaker) : '',
  ])
}

/** One block is a choice of the host alone where each core takes the share of its index. */
const isShared =
  ({kernel}: OperatorFacts) =>
  ({topic, situation}: Decision) =>
    `${topic}/${situation}` !== 'host-cores/one' || kernel.split.length === 0

function kernelSentence({entries: [entry]}: KernelFacts, {say}: Voice): string {
  return entry ? say(`Now the kernel, ${code(entry.name)}.`, `再看核函数 ${code(entry.name)}。`) : ''
}
