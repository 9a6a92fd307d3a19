import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair, RanKernel, Scenario} from '../../../datasets/schema/scenario.ts'
import {handedFacts} from '../../facts/facts-json.ts'
import {hostFacts} from '../../facts/host-facts.ts'
import {kernelFacts} from '../../facts/kernel-facts.ts'
import {sideOfPair} from '../../facts/pair-source.ts'
import type {Inline} from '../specialise/host-files.ts'
import {otherThanRecorded} from './judged-files.ts'
import {kernelSource, type Solved} from './solution.ts'
import {wholeOperator} from './three-files.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import {paragraphs, type Voice} from '../../../datasets/voice.ts'
import {tellChosen} from '../../telling/tell-chosen.ts'
import {handedOver} from '../project/host-plan.ts'
import {taskParagraph} from './evaluated-reasoning.ts'

interface Proving {
  /** Further calls that the files have to serve. */
  more?: readonly Scenario[]
  executor: Executor
  inline: Inline
  mostBytes: number
  signal: AbortSignal
}

/** Tiling structure, host and kernel, which hand the tiling over; built and run here, for their files are new. */
export async function fullForm(pair: HostKernelPair, {inline, mostBytes, ...judging}: Proving): Promise<Solved> {
  const whole = wholeOperator(pair, inline, mostBytes)
  if (!whole.ok) return whole
  const fault = await otherThanRecorded(whole.files, {...judging, pair})
  if (fault !== undefined) return {ok: false, reason: 'whole-not-right', detail: `${pair.operator}: ${fault}`}
  const [header, host, kernel] = whole.files
  const written = {...pair, host: [header, host], kernel: withIdle(kernel, pair.kernel)}
  const [hostSource, source] = [sideOfPair(written, 'host'), kernelSource(pair, kernel)]
  const [hostSide, facts] = [await hostFacts(hostSource), await kernelFacts(source)]
  return {
    ok: true,
    solution: {
      files: whole.files,
      given: [],
      facts,
      constants: new Map([...hostSide.constants, ...facts.constants]),
      shown: (files) => [...files],
      answer: formatFiles,
      reasoning: (purpose, voice) => fullReasoning(written, hostSide, purpose, voice),
      handed: () => ({
        host: handedFacts(hostSource, {role: 'tiling', facts: hostSide}),
        kernel: handedFacts(source, {role: 'kernel', facts}),
        run: {tiling: pair.scenario.trace.tiling},
      }),
    },
  }
}

/** Types become macros within their lines, so that lines which no core came to are those of the pair's kernel. */
function withIdle(kernel: SourceFile, {text, idle}: RanKernel): RanKernel {
  return idle === undefined || text !== text.trimStart() ? kernel : {...kernel, idle}
}

/** From the request to the operator: what its host and its kernel decide, and what else is passed. */
function fullReasoning(pair: HostKernelPair, host: HostFacts, purpose: string, voice: Voice): string {
  return paragraphs([
    taskParagraph(pair, purpose, voice),
    ...tellChosen(pair.decisions ?? [], voice),
    handedOver(pair, host, voice, false),
  ])
}
