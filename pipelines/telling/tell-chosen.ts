import {isHollow, type Decision} from '../../datasets/schema/decision.ts'
import type {Voice} from '../../datasets/voice.ts'
import {ofEvery, outcomeOf, tellDecisions} from './tell-decisions.ts'

/** Common facts are stated in one of this many rows: by topic and situation, or by change and its outcome. */
const oneOf: Readonly<Record<string, number>> = {
  ...{'instructions one': 2, 'instructions several': 4},
  ...{'depth one-tile': 4, 'depth open': 3, 'depth drained': 2, 'depth partly': 2},
  ...{
    'tile one-tile': 2,
    'copy pad-needed': 2,
    'copy pad-spare': 4,
    'tail cut': 2,
    'tail cut-smaller': 2,
    'tail none': 3,
    'tail observed': 3,
  },
  ...{'synchronisation queues': 5, 'synchronisation queues-and-scalar': 3},
  ...{'one-core slower': 4, 'single-blocks slower': 3, 'single-blocks level': 3, 'smaller-tiles slower': 3},
  ...{'larger-tiles refused': 2, 'plain-copy refused': 2, 'plain-copy equal': 3, 'whole-tiles refused': 2},
  ...{'unaligned-rows equal': 3, 'truncated close': 3, 'small-buffers refused': 2},
  ...{'all-cores level': 8, 'all-cores refused': 8, 'not-given-back refused': 6, 'freed-early refused': 8},
  ...{'waits barrier-reads': 6, 'waits flag-reads': 2, 'waits flag-reads-auto': 3, 'waits flag-overwrites-auto': 3},
  ...{'formula in-place': 2, 'instruction no-subs': 4, 'instruction subtract-from': 3, 'instruction whole-repeats': 3},
  ...{'copies bytes-in': 2, 'copies bytes-out': 2, 'copies bytes-both': 2, 'copies count': 3, 'tail last-pass': 2},
  ...{
    'tail open': 2,
    'tail border': 2,
    'rounding-up pieces': 2,
    'buffers by-type': 2,
    'division offset': 2,
    'division in-turn': 2,
  },
  ...{'conversion bfloat16': 2, 'conversion floor-whole': 2, 'instruction nan-test': 2},
}

/** How pipes work together. */
const ofPipes = new Set(['depth', 'synchronisation'])

interface Choosing {
  /** A row with fewer paragraphs says too little of its code. Default 5. */
  least?: number
  /** As for `tellDecisions`. */
  kernel?: string
  /** Whether the request requires every value and for how pipes work together. */
  isAsked?: boolean
}

/**
 * Paragraphs of some decisions, in their order, so that the rows of one operator do not all say the same: of what holds
 * of most kernels some, of the rest everything, and of either as much as a row needs that is not hollow.
 */
export function tellChosen(
  all: readonly Decision[],
  voice: Voice,
  {least = 5, kernel, isAsked}: Choosing = {},
): string[] {
  const {random} = voice
  const told = new Map<Decision, {one: Decision; text: string}>()
  const tell = (one: Decision, from: Decision) => {
    const [text] = tellDecisions([one], voice, kernel)
    if (text !== undefined) told.set(from, {one, text})
  }
  const isDrawn = (key: string) => random.integer(1, oneOf[key] ?? 1) === 1
  for (const from of all) {
    const because = from.because.filter(
      (each) => each.kind !== 'counterfactual' || isDrawn(`${each.change} ${outcomeOf(each)}`),
    )
    const isNeeded = because.some(({kind}) => kind === 'counterfactual' || (isAsked && kind === 'arithmetic'))
    const isDue = isNeeded || (isAsked && ofPipes.has(from.topic))
    if (isDrawn(`${from.topic} ${from.situation}`) || isDue) tell({...from, because}, from)
  }
  const isThin = () => told.size < least || isHollow([...told.values()].map(({one}) => one))
  const ofOwn = (one: Decision['because'][number]) => one.kind === 'counterfactual' && !ofEvery.has(one.change)
  const evident = ({because}: Decision) => Number(because.some(ofOwn))
  const withOne = (from: Decision) => {
    const [one] = random.shuffle(from.because.filter(({kind}) => kind === 'counterfactual'))
    return {...from, because: from.because.filter((each) => each.kind !== 'counterfactual' || each === one)}
  }
  const further = random.shuffle(all).sort((one, other) => evident(other) - evident(one))
  for (const from of further) if (!told.has(from) && isThin()) tell(withOne(from), from)
  return all.flatMap((from) => told.get(from)?.text ?? [])
}
