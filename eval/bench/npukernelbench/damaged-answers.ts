import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import type {Damage} from '../benchmark.ts'

/**
 * Answers whose comments were edited so that code broke. NPUKernelBench's newest commits replaced Chinese comments by a
 * fixed line: where that hit the beginning of a block comment, its other lines became code, and within a macro it cut
 * the macro off.
 */
export function damagedAnswers(tasks: readonly OperatorTask[]): Damage[] {
  return tasks.flatMap(({name, answer}) =>
    answer.flatMap((file) => {
      const damage = damageOf(file)
      return damage ? [{task: name, path: file.path, ...damage}] : []
    }),
  )
}

function damageOf({text}: SourceFile): {line: number; what: string} | undefined {
  const code = withoutCommentsAndLiterals(text)
  const end = code.search(/\*\//)
  if (end >= 0) return {line: code.slice(0, end).split('\n').length, what: 'a block comment ends that was never opened'}
  const lines = text.split('\n')
  const cut = lines.findIndex(
    (line, index) => /^\s*\/\/.*[^\\]$/.test(line) && continues(lines[index - 1]) && continues(lines[index + 1]),
  )
  return cut < 0 ? undefined : {line: cut + 1, what: 'a line comment cuts a macro off'}
}

const continues = (line: string | undefined) => line?.trimEnd().endsWith('\\') === true
