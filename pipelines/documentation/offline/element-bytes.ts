import {typeBytes} from '../../../cpp/types.ts'

/** Bytes of one element, for the types whose size a page's numbers can be worked out with. */
export const elementBytes: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(typeBytes).filter(([type]) => /^(?:u?int\d+_t|half|bfloat16_t|float)$/.test(type)),
)
