import {cppListings} from '../../datasets/listings.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {stripComments, unitsFor} from './snippet.ts'

interface VerifyCodeOptions {
  executor: Executor
}

/**
 * Compiles every C++ listing of an answer. A sample whose listings all compile keeps them as files, with the verdict; a
 * sample without code passes. Drops: `not-covered` (the executor lacks names), `code-does-not-compile`,
 * `code-not-self-contained` (names that neither the listing nor convention defines), `code-elided` (parts are omitted).
 */
export default function verifyCode({executor}: VerifyCodeOptions): Stage<CotSample, CotSample> {
  return {
    name: 'documentation-verify-code',
    version: 6,
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
          verdict = isElided(listing) ? undefined : await compileListing(listing, executor, context.signal)
          const refusal = refusalOf(listing, verdict)
          if (refusal) return context.drop(sample, refusal.reason, refusal.detail)
        }
        const files = listings.map((text, index) => ({
          path: listings.length === 1 ? 'example.cpp' : `example-${index + 1}.cpp`,
          text: `${text}\n`,
        }))
        return [{...checked, files, ...(verdict && {verdict, proof: 'compiled' as const})}]
      },
      {concurrency: 2},
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

/** An undeclared name or a syntax error remains whatever the element types are. */
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

function refusalOf(listing: string, verdict: Verdict | undefined): {reason: string; detail: string} | undefined {
  if (verdict?.outcome === 'compiled') return undefined
  if (isElided(listing)) return {reason: 'code-elided', detail: listing.slice(0, 200)}
  if (!verdict) return {reason: 'code-not-self-contained', detail: listing.slice(0, 200)}
  if (verdict.outcome === 'not-covered') return {reason: 'not-covered', detail: verdict.missing.join(', ')}
  const isOwn = isAboutOwnName(listing, verdict)
  return {reason: isOwn ? 'code-not-self-contained' : 'code-does-not-compile', detail: describe(verdict)}
}

/** A line that represents others, which cannot be compiled. */
function isElided(listing: string): boolean {
  return /^[^\S\n]*(?:\.{3,}|…+)|[;{]\s*(?:\.{3,}|…+)/m.test(stripComments(listing))
}

/** `optiling::TilingFunc`, `ge::InferShape`: functions that the operator puts into namespaces of the SDK. */
const ownFunction = /^no member named '((?:Tiling|Infer|OpSelect|Check)\w*)' in namespace '(?:optiling|ge)'/

const undeclared = new RegExp(
  [
    String.raw`^(?:use of undeclared identifier|unknown type name|no template named) '(\w+)'`,
    String.raw`^'(\w+)' (?:was not declared in this scope|does not name a type)`,
  ].join('|'),
)

/**
 * Whether the first error is a name that the listing takes from its own surroundings: a class or function of the page's
 * operator. What is qualified as the library's is not.
 */
function isAboutOwnName(listing: string, verdict: Verdict): boolean {
  if (verdict.outcome !== 'compile-failed') return false
  const message = verdict.diagnostics.find(({severity}) => severity === 'error')?.message ?? ''
  if (ownFunction.test(message)) return true
  const found = undeclared.exec(message)
  const name = found?.[1] ?? found?.[2]
  return name !== undefined && !new RegExp(String.raw`::\s*${name}\b`).test(listing)
}

function describe(verdict: Verdict): string {
  if (verdict.outcome !== 'compile-failed') return verdict.outcome
  const error = verdict.diagnostics.find(({severity}) => severity === 'error')
  return error ? `line ${error.line}: ${error.message}` : verdict.log.slice(0, 300)
}
