import {parseArgs} from 'node:util'
import {agreement} from '../helpers/agreement.ts'
import {drawProgram} from '../helpers/programs-of-chance.ts'

/** Programs drawn by a seed, each interpreted and run on the twin; prints those of which the two disagree. */
export async function benchAgreement(words: readonly string[]): Promise<void> {
  const {values} = parseArgs({
    args: [...words],
    options: {
      programs: {type: 'string', default: '500'},
      seed: {type: 'string', default: 'agreement'},
      from: {type: 'string', default: '0'},
      show: {type: 'boolean', default: false},
    },
  })
  const [first, count] = [Number(values.from), Number(values.programs)]
  const found = {equal: 0, close: 0, different: 0}
  for (let index = first; index < first + count; index += 1) {
    const program = drawProgram(values.seed, index)
    const outcome = await agreement(program).catch((error: Error) => ({agrees: false as const, why: error.message}))
    if (outcome.agrees) found[outcome.isBitEqual ? 'equal' : 'close'] += 1
    else {
      found.different += 1
      console.log(`program ${index}: ${outcome.why.slice(0, 600)}`)
      if (values.show) console.log(program.text)
    }
  }
  console.log(`${count} programs: ${found.equal} equal in all bits, ${found.close} close, ${found.different} different`)
  if (found.different > 0) process.exitCode = 1
}
