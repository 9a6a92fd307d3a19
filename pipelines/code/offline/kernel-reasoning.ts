import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import type {ObservedRun} from '../observed-run.ts'
import {closingParagraph} from './closing-paragraph.ts'
import {computeParagraph} from './compute-paragraph.ts'
import {conversionParagraph} from './conversion-paragraph.ts'
import {dispatchParagraph, loopParagraph} from './control-paragraphs.ts'
import {taskParagraph} from './kernel-task-paragraph.ts'
import {memoryParagraph} from './memory-paragraph.ts'
import {movementParagraph} from './movement-paragraph.ts'
import {paragraphs, type Voice} from '../../../datasets/voice.ts'
import {splitParagraph} from './split-paragraph.ts'
import {scalarParagraph} from './scalar-paragraph.ts'
import {synchronisationParagraph} from './synchronisation-paragraph.ts'
import {traceParagraph} from './trace-paragraph.ts'

/** The way from the request to the code, step by step, from computed facts alone; a step without facts is left out. */
export function kernelReasoning(
  source: OperatorSource,
  facts: KernelFacts,
  voice: Voice,
  observed?: ObservedRun,
): string {
  return paragraphs([
    taskParagraph(source, facts, voice),
    splitParagraph(facts, voice),
    memoryParagraph(source, facts, voice),
    movementParagraph(facts, voice),
    computeParagraph(facts, voice),
    scalarParagraph(facts, voice),
    conversionParagraph(facts, voice),
    synchronisationParagraph(facts, voice),
    loopParagraph(facts, voice),
    dispatchParagraph(facts, voice),
    observed ? traceParagraph(observed, voice) : '',
    closingParagraph(facts, voice),
  ])
}
