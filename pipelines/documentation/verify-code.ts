import {cppListings} from '../../datasets/listings.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {unitsFor} from './snippet.ts'

interface VerifyCodeOptions {
  executor: Executor
  /** Samples that compile at once. Default 2. */
  concurrency?: number
}

/**
 * Compiles every C++ listing of an answer. A sample whose listings all compile keeps them as files, with the verdict; a
 * sample without code passes. Drops: `not-covered` (the executor lacks names), `code-does-not-compile`,
 * `code-not-self-contained` (objects of a class that neither the listing nor custom tells).
 */
export default function verifyCode({executor, concurrency = 2}: VerifyCodeOptions): Stage<CotSample, CotSample> {
  return {
    name: 'documentation-verify-code',
    version: 4,
    options: {executor: executor.identity},
    input: CotSample,
    output: CotSample,
    run: each(
      async (sample, context): Promise<readonly CotSample[]> => {
        const checked = {...sample, stages: {...sample.stages, ...context.stages}}
        const listings = cppListings(sample.answer)
        if (listings.length === 0) return [checked]
        let verdict: Verdict | undefined
        for (const listing of listings) {
          verdict = await compileListing(listing, executor, context.signal)
          if (!verdict) return context.drop(sample, 'code-not-self-contained', listing.slice(0, 200))
          if (verdict.outcome === 'not-covered') return context.drop(sample, 'not-covered', verdict.missing.join(', '))
          if (verdict.outcome !== 'compiled') return context.drop(sample, 'code-does-not-compile', describe(verdict))
        }
        const files = listings.map((text, index) => ({
          path: listings.length === 1 ? 'example.cpp' : `example-${index + 1}.cpp`,
          text: `${text}\n`,
        }))
        return [{...checked, files, ...(verdict ? {verdict, proof: 'compiled' as const} : {})}]
      },
      {concurrency},
    ),
  }
}

/**
 * The verdict of the first unit that compiles, else the first verdict: later ones only guess at other element types.
 */
async function compileListing(listing: string, executor: Executor, signal: AbortSignal): Promise<Verdict | undefined> {
  const {units, areGuesses} = unitsFor(listing)
  let first: Verdict | undefined
  for (const unit of units) {
    const verdict = await executor.compile(unit, signal)
    if (verdict.outcome === 'compiled' || verdict.outcome === 'not-covered') return verdict
    first ??= verdict
    if (areGuesses && isAboutNames(verdict)) return first
  }
  return first
}

/** A name that nobody declares, or a broken sentence, stays so whatever the element types are. */
function isAboutNames(verdict: Verdict): boolean {
  return (
    verdict.outcome === 'compile-failed' &&
    verdict.diagnostics.some(
      ({severity, message}) =>
        severity === 'error' &&
        /undeclared|unknown type|was not declared|no member named|expected|redefinition|does not name a type/.test(
          message,
        ),
    )
  )
}

function describe(verdict: Verdict): string {
  if (verdict.outcome !== 'compile-failed') return verdict.outcome
  const error = verdict.diagnostics.find(({severity}) => severity === 'error')
  return error ? `line ${error.line}: ${error.message}` : verdict.log.slice(0, 300)
}
