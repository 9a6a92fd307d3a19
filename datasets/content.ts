import type {Config, RecordOf} from './schema/export.ts'
import type {SourceFile} from './schema/operator.ts'

/** The texts of a record, whatever its configuration. */
export interface Content {
  prompt: string
  /** Reasoning and answer of every side. */
  replies: string[]
  files: SourceFile[]
  /** The operator that it is about, if the record names one. */
  operator?: string
}

const readers: {readonly [C in Config]: (record: RecordOf[C]) => Content} = {
  sft: (record) => ({prompt: record.prompt, replies: [record.reasoning, record.answer], files: record.files}),
  dpo: ofSides,
  // An interface may share an operator's name and description; only example code is an answer.
  apis: ({purpose, parameters, constraints, examples}) => ({
    prompt: purpose,
    replies: [
      [
        ...parameters.flatMap(({meaning, choices}) => [...meaning, ...choices.map(({text}) => text)]),
        ...constraints,
        ...examples.flatMap(({lead, result = ''}) => [lead, result]),
      ].join('\n'),
    ],
    files: examples.map(({code}, index) => ({path: `example ${index + 1}`, text: code})),
  }),
  errors: ({task, signature, error: {message, file, code}}) => ({
    prompt: '',
    replies: [[message, signature].join('\n')],
    files: code === '' ? [] : [{path: file, text: code}],
    operator: task,
  }),
  kto: ({prompt, reasoning, answer, files, task}) => ({prompt, replies: [reasoning, answer], files, operator: task}),
  optimisation: ofSides,
}

function ofSides({prompt, chosen, rejected, task}: RecordOf['dpo' | 'optimisation']): Content {
  return {
    prompt,
    replies: [chosen.reasoning, chosen.answer, rejected.reasoning, rejected.answer],
    files: [...chosen.files, ...rejected.files],
    operator: task,
  }
}

export function contentOf<C extends Config>(config: C, record: RecordOf[C]): Content {
  return readers[config](record)
}

/** `ScaleCustom`, `scale_custom` and `Scale` are one operator: tutorials append `custom` to their operators' names. */
export function operatorKey(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '')
  return plain.replace(/(.)custom$/, '$1')
}
