import type {Dtype} from '../../../datasets/schema/tensor.ts'

/**
 * What an example leaves to its reader. A page prints arrays and a call; types, lengths and names are in its prose, in
 * another page, or nowhere.
 */
export interface PagePlan {
  /** Element type of every tensor that `types` does not name, and of `T`, `srcType` and the like. Default half. */
  type?: Dtype
  types?: Record<string, Dtype>
  /** A label's name to the name that the code has. */
  rename?: Record<string, string>
  /** Elements that an abridged array stands for, by the code's name. */
  size?: Record<string, number>
  /** Elements of every abridged array that says nothing itself. Default: the longest that does, or 512. */
  total?: number
  /** Elements of every buffer at least. Default 512. */
  room?: number
  /** Rows of an input that the code wants padded: elements of a row, and from row to row. */
  rows?: Record<string, [number, number]>
  /** Which calls of the page the arrays belong to. Default all. */
  calls?: RegExp
  /** Which functions the example calls, where the title does not say. A pattern. */
  names?: string
  /** Only the last fence belongs to the arrays. */
  lastFence?: boolean
  /** Calls where the page has them in comments or not at all. */
  explicit?: string[]
  /** Spelling that differs between the code, which shows one case, and the arrays, which show several. */
  replace?: [RegExp, string][]
  globals?: string
  declare?: string
  after?: string
  fields?: string
  host?: string
  temporary?: {names?: string[]; type?: string; bytes?: number}
  blocks?: number
  /** Elements of outputs that the page shows as computed. Default all. */
  computed?: (index: number) => boolean
  /** Elements of outputs that the page prints, where it leaves out others without a sign. Default all. */
  printed?: (index: number) => boolean
  /** Inputs that the page prints in part, as a formula that agrees with what it prints. */
  fill?: Record<string, (index: number) => number>
  /** What the page says wrong, and what settles it; a difference is then the page's. */
  wrong?: string
  /** Names of arrays that are no tensors. */
  drop?: string[]
  /** Why the page's arrays cannot be checked at all. */
  lacks?: string
}
