import {availableParallelism} from 'node:os'
import type {Executor} from '../../datasets/schema/executor.ts'
import {CheckedOperatorSource, OperatorSource} from '../../datasets/schema/operator.ts'
import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import {each, type Stage} from '../../engine/stage.ts'

interface CompileCheckOptions {
  executor: Executor
  /** Compilers at once; default one per core. */
  concurrency?: number
}

/**
 * Compiles each flattened source before anything is spent on it; code that an executor did not accept is never taught.
 * Drops: `not-covered` with the names that the executor lacks (it cannot tell, so the code is not judged),
 * `does-not-compile` with the first error.
 */
export default function compileCheck({
  executor,
  concurrency = availableParallelism(),
}: CompileCheckOptions): Stage<OperatorSource, CheckedOperatorSource> {
  return {
    name: 'compile-check',
    version: 2,
    options: {executor: executor.identity},
    input: OperatorSource,
    output: CheckedOperatorSource,
    run: each(
      async (source, context) => {
        const verdict = await executor.compile(
          {side: source.side, tiling: source.tiling, dtypes: source.dtypes, text: source.flattened},
          context.signal,
        )
        if (verdict.outcome === 'compiled') return [{...source, verdict}]
        if (verdict.outcome === 'not-covered') return context.drop(source, 'not-covered', verdict.missing.join(', '))
        const first = verdict.outcome === 'compile-failed' ? firstError(verdict.diagnostics) : verdict.outcome
        return context.drop(source, 'does-not-compile', `${source.operator} ${source.target.path}: ${first}`)
      },
      {concurrency},
    ),
  }
}

function firstError(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({severity}) => severity === 'error') ?? diagnostics[0]
  return first ? `${first.file}:${first.line}: ${first.message}` : 'the compiler gave no message'
}
