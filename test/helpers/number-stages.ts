import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {each, type Stage} from '../../engine/stage.ts'

const Text = z.strictObject({text: z.string()})

/** Every number twice, so that some records are equal. */
export const numbers: Stage<number, number> = {
  name: 'numbers',
  version: 1,
  input: z.int(),
  output: z.int(),
  async *run(totals) {
    for await (const total of totals) for (let at = 0; at < total; at += 1) yield Math.floor(at / 2)
  },
}

interface Words {
  options?: object
  letter?: string
}

/** 3, 13, 23 … fail; multiples of 5 are dropped. */
export function words({options = {}, letter = 'a'}: Words = {}): Stage<number, {text: string}> {
  return {
    name: 'words',
    version: 1,
    // As stages have it: an option that was not given.
    options: {...options, seed: undefined},
    input: z.int(),
    output: Text,
    run: each(
      (value, {drop}) => {
        if (value % 10 === 3) throw new PipelineError('executor-failed', 'a tool failed', {fix: 'Try again.'})
        return value % 5 === 0 ? drop(value, 'by-five', 'so') : [{text: letter.repeat(value % 50)}, {text: `${value}`}]
      },
      {concurrency: 2},
    ),
  }
}
