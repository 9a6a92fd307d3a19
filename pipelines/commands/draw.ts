import {counted} from '../../engine/counted.ts'
import type {Config} from '../workspace/config.ts'
import {drawCandidates, drawnKinds} from '../workspace/draw-candidates.ts'
import {writeDrawnSet} from '../workspace/drawn-set.ts'
import {PipelineError} from '../../engine/errors.ts'
import {explained} from './terminal.ts'
import type {World} from './world.ts'

interface Asked {
  count: number
  /** Further runs, or output folders with runs, to draw from. */
  from: readonly string[]
  /** Folder that is written. */
  to: string
  json: boolean
}

const looking = 'looking which candidates may be given away: about a second for 100 candidates'

/** `ascend-cot agreement --draw`: a set of candidates for a judge elsewhere, and our verdicts apart. */
export async function draw({count, from, to, json}: Asked, config: Config, {terminal}: World): Promise<number> {
  const set = await explained(terminal, looking, drawCandidates(config, count, from))
  const {drawn, leftOut} = set
  if (drawn.length === 0) {
    throw new PipelineError('input-invalid', `No run of ${config.out} holds a candidate that may be drawn.`, {
      fix: 'Run `ascend-cot run candidates` first; what was omitted, and why, is in the evidence (--json).',
      evidence: {leftOut},
    })
  }
  const {folder, verdicts} = await writeDrawnSet(config, to, set)
  const kinds = Object.fromEntries(
    drawnKinds.map((kind) => [kind, drawn.filter((one) => one.kind === kind).length] as const),
  )
  if (json) terminal.print(JSON.stringify({drawn: drawn.length, kinds, leftOut, folder, verdicts}))
  else {
    const told = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).flatMap(([name, some]) => (some === 0 ? [] : [`${name} ${some}`]))
    terminal.print(`${counted(drawn.length, 'candidate')} drawn: ${told(kinds).join(', ')}`)
    if (drawn.length < count) terminal.say(`warning: ${count} were asked for, and there are no more`)
    if (Object.keys(leftOut).length > 0) terminal.print(`left out: ${told(leftOut).join(', ')}`)
    terminal.print(`to send: ${folder}\nto keep: ${verdicts}`)
  }
  return 0
}
