/** Names of sizes, by the input of a case, with the most bytes of each. */
const most = {small: 2 ** 22, medium: 2 ** 24, large: Number.POSITIVE_INFINITY} as const
export type SizeName = keyof typeof most
export const sizeNames = Object.keys(most) as SizeName[]

export function sizesOf(bytes: number): SizeName {
  return sizeNames.find((name) => bytes <= most[name]) ?? 'large'
}
