import {firstAndReversed} from '../variants/chance.ts'
import type {Step} from '../../../../pipelines/preference/rewinds/step.ts'

/** The text of one file behind a step; undefined where it finds no place. */
export function taking(steps: readonly Step[], path: string) {
  return (name: string, text: string, random = firstAndReversed) => {
    const step = steps.find((one) => one.name === name)
    if (!step) throw new Error(`no step is called ${name}`)
    return step.take([{path, text}], random)?.[0]?.text
  }
}
