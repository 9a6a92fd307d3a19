import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {handedFacts} from '../../facts/facts-json.ts'
import {kernelFacts} from '../../facts/kernel-facts.ts'
import {declaredHost} from '../specialise/declared-host.ts'
import {evaluatedReasoning} from './evaluated-reasoning.ts'
import {definitionOf} from './requested-task.ts'
import {kernelSource, type Solved} from './solution.ts'

/** The kernel alone, with constants for tiling, under a host that launches every core; it was run when the pair was. */
export async function kernelForm(pair: HostKernelPair): Promise<Solved> {
  const {alone, notAlone, scenario} = pair
  if (!alone) return {ok: false, reason: notAlone?.reason ?? 'not-alone', detail: notAlone?.detail ?? ''}
  const definition = definitionOf(pair)
  if (!definition) return {ok: false, reason: 'no-definition', detail: pair.operator}
  const source = kernelSource(pair, alone)
  const facts = await kernelFacts(source)
  return {
    ok: true,
    solution: {
      files: [alone],
      given: [declaredHost(definition, scenario.dtypes)],
      facts,
      constants: new Map(facts.constants),
      shown: (files) => files.map(({path, text}) => ({path, text: asked(text)})),
      answer: ([kernel]) => `<kernel_impl>\n${fenced(kernel)}\n</kernel_impl>`,
      reasoning: (purpose, voice) => evaluatedReasoning(pair, {text: alone.text, purpose}, voice),
      handed: () => handedFacts(source, {role: 'kernel', facts}),
    },
  }
}

const fenced = (file: SourceFile | undefined) => `\`\`\`cpp\n${file?.text.trimEnd() ?? ''}\n\`\`\``

/** The build adds the last parameter. */
function asked(text: string): string {
  return text.replaceAll('GM_ADDR workspace, GM_ADDR tiling', 'GM_ADDR workspace')
}
