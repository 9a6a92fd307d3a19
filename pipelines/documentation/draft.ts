/** The words of one sample before it is checked. */
export interface Draft {
  question: string
  reasoning: string
  answer: string
}
