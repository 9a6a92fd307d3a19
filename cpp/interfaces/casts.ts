import type {DtypeName} from '../types.ts'

/** How a cast may round; `none` if nothing is lost, or if the device accepts no other mode. */
const roundings = ['none', 'rint', 'floor', 'ceil', 'trunc'] as const
export type Rounding = (typeof roundings)[number]

const any: readonly Rounding[] = roundings
const lossy: readonly Rounding[] = ['rint', 'floor', 'ceil', 'trunc']
const exact: readonly Rounding[] = ['none']

/** Conversions that the vector unit of Atlas A2 has, by source and destination, with the roundings that each takes. */
const casts: Partial<Record<DtypeName, Partial<Record<DtypeName, readonly Rounding[]>>>> = {
  int8: {float16: exact},
  uint8: {float16: exact},
  int16: {float16: any, float32: exact},
  int32: {int16: exact, float16: exact, float32: any, int64: exact},
  int64: {int32: exact, float32: lossy},
  float16: {int8: any, uint8: any, int16: lossy, int32: lossy, float32: exact},
  bfloat16: {int32: lossy, float32: exact},
  float32: {int16: lossy, float16: any, bfloat16: lossy, int32: lossy, float32: lossy, int64: lossy},
}

/** Roundings of a conversion, the default first; undefined if there is none. */
export function castRoundings(from: DtypeName, to: DtypeName): readonly Rounding[] | undefined {
  const found = casts[from]?.[to]
  if (found) return found
  return from === to ? exact : undefined
}

/** Types on a shortest way of casts between two types without a direct cast, both included; undefined without a way. */
export function castRoute(from: DtypeName, to: DtypeName): DtypeName[] | undefined {
  const routes: DtypeName[][] = [[from]]
  for (const route of routes) {
    for (const next of Object.keys(casts[route.at(-1)!] ?? {}) as DtypeName[]) {
      if (next === to) return [...route, next]
      if (!route.includes(next) && route.length < 4) routes.push([...route, next])
    }
  }
  return undefined
}
