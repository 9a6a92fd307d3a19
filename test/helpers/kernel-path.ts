import flatten from '../../sources/kernels/flatten.ts'
import {decodeSource} from '../../sources/kernels/decode.ts'
import {definedKernels, usesForeignApi} from '../../sources/kernels/layout.ts'
import {recognisedLicence} from '../../datasets/gates/licence-words.ts'
import {declaredLicence} from '../../sources/licence.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import {damagedAnswers} from '../../eval/bench/npukernelbench/benchmark.ts'
import {withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {entryName, kernelUnit, selectionSpaceOf, usedDtypeNames} from '../../eval/executors/kernel-unit.ts'
import {plainKernelText} from '../../eval/executors/kernel-text.ts'
import {programOf} from '../../sources/kernels/program.ts'
import {viewSource} from '../../cpp/source-view.ts'
import {extractFiles} from '../../datasets/operator-reply.ts'
import {runStage} from './run-stage.ts'

/**
 * All that looks at a source file before a compiler does: as host, as kernel, and as a reply. Gives the number of
 * flattened files.
 */
export default async function kernelPath(written: string): Promise<number> {
  const text = decodeSource(Buffer.from(written)) ?? ''
  const path = 'op_host/a.cpp'
  parseOperatorDefinitions(text)
  definedKernels(text)
  usesForeignApi(text)
  recognisedLicence(text)
  declaredLicence(text)
  withoutCommentsAndLiterals(text)
  viewSource(path, text)
  extractFiles(text, [path])
  damagedAnswers([{name: 'A', answer: [{path, text}]} as unknown as Parameters<typeof damagedAnswers>[0][number]])
  const origin = {repository: 'r', revision: 'v', path: '.', licence: 'MIT'}
  const project = {origin, operator: 'A', host: [{path, text}], kernel: [{path: 'op_kernel/a.cpp', text}]}
  programOf(project)
  buildUnit(text)
  return (await runStage(flatten(), [{...project, verdicts: {}}])).outputs.length
}

/** What the executor reads of a kernel before it compiles it. */
function buildUnit(text: string): void {
  const definition = {operator: 'A', inputs: [], outputs: [], attributes: [], socs: [], shapeFromKernel: false}
  plainKernelText(text)
  usedDtypeNames(text)
  selectionSpaceOf([text])
  entryName(text, 'A')
  const entry = {path: 'op_kernel/a.cpp', text}
  kernelUnit({entry, operator: 'A', definition, dtypes: {}, tiling: '', cores: 'vector'})
}
