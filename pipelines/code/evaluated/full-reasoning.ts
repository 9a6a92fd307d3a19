import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {paragraphs, type Voice} from '../../../datasets/voice.ts'
import {tellChosen} from '../../telling/tell-chosen.ts'
import {handedOver} from '../project/host-plan.ts'
import {taskParagraph} from './evaluated-reasoning.ts'

/** From the request to the operator: what its host and its kernel decide, and what else is passed. */
export function fullReasoning(pair: HostKernelPair, host: HostFacts, purpose: string, voice: Voice): string {
  return paragraphs([
    taskParagraph(pair, purpose, voice),
    ...tellChosen(pair.decisions ?? [], voice),
    handedOver(pair, host, voice, false),
  ])
}
