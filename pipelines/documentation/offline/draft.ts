import type {Evidence} from '../../../datasets/schema/document.ts'

/** The words of one sample before it is checked. */
export interface Draft {
  question: string
  reasoning: string
  answer: string
  /** What the page gives as the result of the answer's one listing. */
  expected?: string
  /** Passages of other pages that the reasoning uses. */
  evidence?: readonly Evidence[]
}
