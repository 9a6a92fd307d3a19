import {contentId} from '../engine/ids.ts'
import {each, type Context, type Stage} from '../engine/stage.ts'
import {contentOf, type Content} from './content.ts'
import {contaminationIndex, type Reference} from './contamination.ts'
import {operatorIdentity, type OperatorTrait} from './operator-identity.ts'
import {recordSchemas, type Config, type RecordOf} from './schema/export.ts'

interface DecontaminateOptions<C extends Config> {
  config: C
  /** What must not be learnt: held-out tasks and benchmarks, with descriptions, templates and answers as texts. */
  reference: readonly Reference[]
  /**
   * Texts of operators that are known to be other ones: what they share with the reference is idiom, not a leak.
   * Written by the same hand as the held-out tasks (the starter corpus), they are needed: such kernels differ in a few
   * calls only.
   */
  boilerplate?: readonly string[]
  /** Names of the API: other names in PascalCase are an author's, and renaming them hides nothing. */
  api?: readonly string[]
  /**
   * Traits by which records about a reference's operator are refused as well, though they share no text with it.
   * Default none: another author's code for an operator of a benchmark is no answer of the benchmark.
   */
  operators?: readonly OperatorTrait[]
}

/**
 * The one place where benchmarks are kept out of training data: by content first, then by the operator where that is
 * asked for, and never by a path. Drops `contaminated` for records that give away a reference, with the reference, how
 * many runs of words or tokens, and where: prompt, reasoning, answer and code are all looked at, since a prompt-only
 * check lets reference solutions pass in answers. Drops `benchmark-operator` with the trait that tells it.
 */
export default function decontaminate<C extends Config>(
  options: DecontaminateOptions<C>,
): Stage<RecordOf[C], RecordOf[C]> {
  const {config, reference, boilerplate = [], api, operators = []} = options
  let prepared: ReturnType<typeof contaminationIndex> | undefined
  let recognise: ReturnType<typeof operatorIdentity> | undefined

  function check(record: RecordOf[C], context: Context): readonly RecordOf[C][] {
    prepared ??= contaminationIndex(reference, boilerplate, api && new Set(api))
    const content = contentOf(config, record)
    for (const [place, text, as] of parts(content)) {
      const leak = prepared.leak(text, as)
      if (leak)
        return context.drop(
          record,
          'contaminated',
          `${leak.reference}: ${leak.runs} runs of ${leak.length} ${leak.unit} in the ${place}`,
        )
    }
    recognise ??= operatorIdentity(reference, operators)
    const {operator, prompt, files, replies} = content
    const same = recognise([prompt, ...files.map((file) => file.text), ...replies], operator)
    if (same) return context.drop(record, 'benchmark-operator', `${same.reference}, by its ${same.by}`)
    return [record]
  }

  return {
    name: 'decontaminate',
    version: 3,
    // The texts themselves may be megabytes of a benchmark; their hash stands for them.
    options: {
      config,
      reference: contentId(reference),
      boilerplate: contentId(boilerplate),
      api: contentId(api ?? []),
      operators: [...operators],
    },
    input: recordSchemas[config],
    output: recordSchemas[config],
    run: each(check),
  }
}

function* parts(content: Content): Iterable<[place: string, text: string, as: 'text' | 'code']> {
  yield ['prompt', content.prompt, 'text']
  for (const reply of content.replies) yield ['answer', reply, 'text']
  for (const file of content.files) yield [file.path, file.text, 'code']
}
