import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource, SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {Voice} from '../../../datasets/voice.ts'

/** Code of a pair in one form, which was built and gave the outputs of the pair's scenario. */
export interface Solution {
  /** What a reply has to bring, as it is built. */
  files: readonly SourceFile[]
  /** What is built with it and stays as it is. */
  given: readonly SourceFile[]
  facts: KernelFacts
  /** Numbers that reasoning may name. */
  constants: ReadonlyMap<string, number>
  /** The files as the request has them. */
  shown(files: readonly SourceFile[]): SourceFile[]
  /** A reply that brings files as they are shown. */
  answer(shown: readonly SourceFile[]): string
  reasoning(purpose: string, voice: Voice): string
  /** For a model: what was computed and seen. */
  handed(): object
}

export type Solved = {ok: true; solution: Solution} | {ok: false; reason: string; detail: string}

/** Facts are read without the name of the interface's space, which means the same with it and without it. */
export function kernelSource({origin, operator, purpose, scenario}: HostKernelPair, file: SourceFile): OperatorSource {
  const text = file.text.replace(/\bAscendC::(?=\w)/g, '')
  return {
    origin,
    operator,
    ...(purpose && {purpose}),
    side: 'kernel',
    role: 'kernel',
    target: {path: file.path, text},
    dependencies: [],
    externalIncludes: [],
    flattened: text,
    tiling: '',
    dtypes: scenario.dtypes,
  }
}
