import {expect} from 'vitest'
import type {Local} from '../../pipelines/ascendcraft/interpret/core-memory.ts'
import {Trouble} from '../../pipelines/ascendcraft/interpret/trouble.ts'
import type {ElementType} from '../../pipelines/ascendcraft/language/dtypes.ts'

export const at = {line: 7, column: 3}

/** The rule and what is said of it; '' where nothing is wrong. */
export function said(run: () => void): string {
  try {
    run()
    return ''
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    const {rule, message, mend, line, column} = error.fault
    expect({line, column}).toEqual(at)
    return `${rule}: ${message} ${mend}`
  }
}

export const buffer = (size: number, type: ElementType = 'float32', written = size): Local => ({
  name: 'b',
  type,
  values: new Float64Array(size),
  written: new Uint8Array(size).fill(1, 0, written),
})
