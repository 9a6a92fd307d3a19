/** Names of sizes, by the input of a case, with the most bytes of each. */
const most = {small: 2 ** 22, medium: 2 ** 24, large: Number.POSITIVE_INFINITY} as const
type Extent = keyof typeof most
const extents = Object.keys(most) as Extent[]

/** `sample`: the smallest case alone, where all of them take a CPU hours. */
export type SizeName = Extent | 'sample'
export const sizeNames: readonly SizeName[] = ['sample', ...extents]

export function sizesOf(bytes: number): Extent {
  return extents.find((name) => bytes <= most[name]) ?? 'large'
}
