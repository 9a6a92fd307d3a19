import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {DescribedCandidate, type OperatorFacts} from '../../datasets/schema/code-facts.ts'
import {isTooDeep} from '../../cpp/parse.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {type FactReader, factReader} from './fact-reader.ts'
import {sideOfOperator, type WrittenOperator} from './operator-source.ts'

/**
 * A candidate with the facts of its host and its kernel. Candidates of a model get no facts: they keep the model's
 * reasoning, or none, because the style of the author must not distinguish the sides of a pair.
 */
export default function candidateFacts(): Stage<LabelledCandidate, DescribedCandidate> {
  const read = factReader()
  return {
    name: 'candidate-facts',
    version: 1,
    input: LabelledCandidate,
    output: DescribedCandidate,
    run: each(async (candidate): Promise<readonly DescribedCandidate[]> => {
      const {task, files, sampler, reasoning} = candidate
      const isToldOf = sampler.kind !== 'model' && reasoning === ''
      const facts = isToldOf && (await operatorFacts({operator: task.name, origin: task.origin, files}, read))
      return [{candidate, ...(facts && {facts})}]
    }),
  }
}

/** Undefined where a side is missing or cannot be read. */
export async function operatorFacts(written: WrittenOperator, read: FactReader): Promise<OperatorFacts | undefined> {
  const [host, kernel] = [sideOfOperator(written, 'host'), sideOfOperator(written, 'kernel')]
  try {
    return host && kernel && {host: await read.host(host), kernel: await read.kernel(kernel)}
  } catch (error) {
    if (isTooDeep(error)) return undefined
    throw error
  }
}
