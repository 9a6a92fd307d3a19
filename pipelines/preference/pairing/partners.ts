import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {CodeDistance} from '../../../datasets/schema/sample.ts'
import {tokenCount} from '../../../datasets/tokens/token-count.ts'
import {writtenAnswer, writtenFiles} from '../../../datasets/written-answer.ts'
import {codeDistance, tokenLines, type TokenLines} from './code-distance.ts'

/** A candidate as a side of pairs, with what choosing a partner asks of it. */
export class Side {
  readonly candidate: LabelledCandidate
  /** Pairs in which it is the better side. */
  uses = 0
  #answer: string | undefined
  #lines: TokenLines | undefined
  #tokens: {answer: number; reasoning: number} | undefined

  constructor(candidate: LabelledCandidate) {
    this.candidate = candidate
  }

  get answer(): string {
    return (this.#answer ??= writtenAnswer(this.candidate))
  }

  get lines(): TokenLines {
    const text = () =>
      writtenFiles(this.candidate)
        .map((file) => file.text)
        .join('\n')
    return (this.#lines ??= tokenLines(text()))
  }

  tokens(reasoned: boolean): number {
    const {answer, reasoning} = (this.#tokens ??= {
      answer: tokenCount(this.answer),
      reasoning: tokenCount(this.candidate.reasoning),
    })
    return reasoned ? answer + reasoning : answer
  }
}

/**
 * Both sides reason, and both as a model or both as the offline writer: else the presence or the manner of the
 * reasoning would be what sets the sides apart.
 */
export function bothReason(one: LabelledCandidate, other: LabelledCandidate): boolean {
  const isModel = ({sampler}: LabelledCandidate) => sampler.kind === 'model'
  return one.reasoning !== '' && other.reasoning !== '' && isModel(one) === isModel(other)
}

export interface PartnerLimits {
  maxPairsPerChosen: number
  minChangedShare: number
  maxLengthRatio: number
  /** Whether the better side is to be near the worse one, so that the fault is nearly all in which they differ. */
  near?: boolean
}

interface Partner {
  side: Side
  changed: CodeDistance
  /** 1 when the better side is longer, -1 when it is shorter. */
  longer: number
}

type NoPartner = 'used-up' | 'near-equal' | 'length-ratio'

/**
 * The better side for a worse one: of those that are not used up, far enough from it and about as long, the one that
 * keeps better sides from being the longer ones, then the least used, then the most different; or, of pairs that are
 * to be near, simply the one that differs in fewest lines.
 * @param balance pairs of the task in which the better side is longer, less those in which it is shorter
 */
export function partnerFor(
  worse: Side,
  better: readonly Side[],
  balance: number,
  limits: PartnerLimits,
): Partner | NoPartner {
  const free = better.filter(({uses}) => uses < limits.maxPairsPerChosen)
  const different = free.flatMap((side) => {
    const changed = codeDistance(side.lines, worse.lines)
    const least = limits.near ? 0 : limits.minChangedShare
    return changed && changed.share >= least ? [{side, changed}] : []
  })
  const partners = different.flatMap(({side, changed}): Partner[] => {
    const reasoned = bothReason(side.candidate, worse.candidate)
    const [own, other] = [side.tokens(reasoned), worse.tokens(reasoned)]
    const isClose = Math.max(own, other) <= limits.maxLengthRatio * Math.min(own, other)
    return isClose ? [{side, changed, longer: Math.sign(own - other)}] : []
  })
  const [first] = partners.sort(
    (a, b) =>
      (limits.near ? a.changed.lines - b.changed.lines : 0) ||
      Math.abs(balance + a.longer) - Math.abs(balance + b.longer) ||
      a.side.uses - b.side.uses ||
      b.changed.share - a.changed.share,
  )
  if (first) return first
  if (free.length === 0) return 'used-up'
  return different.length === 0 ? 'near-equal' : 'length-ratio'
}
