import {availableParallelism} from 'node:os'
import type {Executor} from '../../datasets/schema/executor.ts'
import {CheckedOperatorSource, OperatorSource} from '../../datasets/schema/operator.ts'
import {firstSyntaxError, isTooDeep} from '../../cpp/parse.ts'
import type {Diagnostic} from '../../datasets/schema/verdict.ts'
import {each, type Context, type Stage} from '../../engine/stage.ts'

interface CompileCheckOptions {
  executor: Executor
}

/**
 * Compiles each flattened source before anything is spent on it, except those that were built with their side; code
 * that an executor did not accept is never taught. A header that does not compile alone is compiled in the context of
 * files that include it. Code that no executor builds is only parsed. Drops: `not-covered` with the names that the
 * executor lacks (so the code cannot be judged), `does-not-compile` with the first error, and `does-not-parse` with its
 * line.
 */
export default function compileCheck({executor}: CompileCheckOptions): Stage<OperatorSource, CheckedOperatorSource> {
  return {
    name: 'compile-check',
    version: 5,
    options: {executor: executor.identity},
    input: OperatorSource,
    output: CheckedOperatorSource,
    run: each(
      async ({within = [], ...source}, context) => {
        if (source.built) return [{...source, proof: 'compiled', verdict: source.built}]
        if (source.flattened === '') return parsed(source, context)
        const compile = ({flattened: text}: Pick<OperatorSource, 'flattened'>) =>
          executor.compile({side: source.side, tiling: source.tiling, dtypes: source.dtypes, text}, context.signal)
        const alone = await compile(source)
        if (alone.outcome === 'compiled') return [{...source, proof: 'compiled', verdict: alone}]
        for (const {path: through, ...text} of within) {
          const verdict = await compile(text)
          if (verdict.outcome === 'compiled') return [{...source, ...text, proof: 'compiled', verdict, through}]
        }
        if (alone.outcome === 'not-covered') return context.drop(source, 'not-covered', alone.missing.join(', '))
        const first = alone.outcome === 'compile-failed' ? firstError(alone.diagnostics) : alone.outcome
        return context.drop(source, 'does-not-compile', `${source.operator} ${source.target.path}: ${first}`)
      },
      {concurrency: availableParallelism()},
    ),
  }
}

/** The C interface and the SDK's own code need headers that only the vendor has, so they cannot be compiled. */
async function parsed(source: OperatorSource, context: Context): Promise<readonly CheckedOperatorSource[]> {
  const line = await firstSyntaxError(source.target.text).catch((error: unknown) => {
    if (isTooDeep(error)) return 'nested too deeply'
    throw error
  })
  if (line === undefined) return [{...source, proof: 'parsed'}]
  return context.drop(source, 'does-not-parse', `${source.operator} ${source.target.path}:${line}`)
}

function firstError(diagnostics: readonly Diagnostic[]): string {
  const first = diagnostics.find(({severity}) => severity === 'error') ?? diagnostics[0]
  return first ? `${first.file}:${first.line}: ${first.message}` : 'the compiler gave no message'
}
