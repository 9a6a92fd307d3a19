/** A value with a JSON form. */
export type Json = null | boolean | number | string | readonly Json[] | {readonly [key: string]: Json | undefined}
