/** A value with a JSON form. */
export type Json = null | boolean | number | string | readonly Json[] | {readonly [key: string]: Json | undefined}

/** The value of a JSON text; undefined for a text that is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
