import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {argumentReason} from './argument-reasons.ts'
import {callReason} from './call-reasons.ts'
import {expressionReason} from './expression-reasons.ts'
import {markReason} from './mark-reasons.ts'
import {nameReason} from './name-reasons.ts'
import {blockReason, orderReason} from './order-reasons.ts'
import {missingReason} from './missing-reasons.ts'
import type {Reason, Replaced, Scene} from './reason.ts'
import {surplusReason} from './surplus-reasons.ts'
import {typeReason} from './type-reasons.ts'
import {valueReason} from './value-reasons.ts'

const ofReplaced: readonly ((edit: Replaced, scene: Scene) => Reason | undefined)[] = [
  nameReason,
  callReason,
  argumentReason,
  expressionReason,
  typeReason,
  valueReason,
]

/** Why a step is needed; undefined where old and new text do not show it. */
export function reasonFor(edit: Edit, scene: Scene): Reason | undefined {
  switch (edit.kind) {
    case 'added':
      return missingReason(edit, scene)
    case 'removed':
      return surplusReason(edit, scene)
    case 'moved':
      return orderReason(edit)
    case 'unwrapped':
      return blockReason(edit, scene)
    case 'marks':
      return markReason(edit)
    case 'replaced':
      for (const reason of ofReplaced) {
        const found = reason(edit, scene)
        if (found) return found
      }
      return undefined
  }
}
