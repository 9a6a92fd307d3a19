import {contentId} from '../engine/ids.ts'
import {each, type Context, type Stage} from '../engine/stage.ts'
import {contentOf, type Content} from './content.ts'
import {contaminationIndex, type Reference} from './contamination.ts'
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
}

/**
 * Drops records that give away a reference: `contaminated`, with the reference, how many runs of words or tokens, and
 * where. Prompt, reasoning, answer and code are all looked at, since a prompt-only check lets reference solutions pass
 * in answers.
 */
export default function decontaminate<C extends Config>(
  options: DecontaminateOptions<C>,
): Stage<RecordOf[C], RecordOf[C]> {
  const {config, reference, boilerplate = [], api} = options
  let prepared: ReturnType<typeof contaminationIndex> | undefined

  function check(record: RecordOf[C], context: Context): readonly RecordOf[C][] {
    prepared ??= contaminationIndex(reference, boilerplate, api && new Set(api))
    const content = contentOf(config, record)
    const operator = operatorsOf(content)
      .map((name) => prepared?.operator(name))
      .find((name) => name !== undefined)
    if (operator !== undefined) return context.drop(record, 'contaminated', `operator of ${operator}`)
    for (const [place, text, as] of parts(content)) {
      const leak = prepared.leak(text, as)
      if (leak)
        return context.drop(
          record,
          'contaminated',
          `${leak.reference}: ${leak.runs} runs of ${leak.length} ${leak.unit} in the ${place}`,
        )
    }
    return [record]
  }

  return {
    name: 'decontaminate',
    version: 2,
    // The texts themselves may be megabytes of a benchmark; their hash stands for them.
    options: {config, reference: contentId(reference), boilerplate: contentId(boilerplate), api: contentId(api ?? [])},
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

/** Operators by what the record says and by what its code defines. */
function operatorsOf({operator, files, prompt, replies}: Content): string[] {
  const names = operator === undefined ? [] : [operator]
  for (const text of [prompt, ...files.map((file) => file.text), ...replies]) {
    for (const match of text.matchAll(/\bOP_ADD\s*\(\s*(\w+)|__global__\s+__aicore__\s+void\s+(\w+)/g))
      names.push(match[1] ?? match[2] ?? '')
  }
  return names
}
