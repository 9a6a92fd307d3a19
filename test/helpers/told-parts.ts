import {expect} from 'vitest'
import {HostFacts, KernelFacts} from '../../datasets/schema/code-facts.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {voice, type Voice} from '../../datasets/voice.ts'
import {randomFrom} from '../../engine/random.ts'
import {hostFacts} from '../../pipelines/facts/host-facts.ts'
import {kernelFacts} from '../../pipelines/facts/kernel-facts.ts'
import type {FunctionFlow} from '../../cpp/syntax.ts'
import {functionFlows} from '../../cpp/statements.ts'
import {golden} from './golden.ts'

/** What is told of one thing in both languages, each in the first words that its seed draws. */
export function both(write: (speaker: Voice) => string): string {
  return (['en', 'zh'] as const).map((language) => write(voice(language, randomFrom('parts')))).join('\n')
}

/** A file of an operator, of which a test says only what it is about. */
export function sourceOf(text: string, changes: Partial<OperatorSource> = {}): OperatorSource {
  return {
    origin: {repository: 'fixtures', revision: '1', path: 'op_kernel/a.cpp', licence: 'Apache-2.0'},
    operator: 'Fold',
    side: 'kernel',
    role: 'kernel',
    dtypes: {},
    target: {path: 'op_kernel/a.cpp', text},
    dependencies: [],
    ...changes,
  } as OperatorSource
}

/** Facts as their schema takes them: a run refuses those with a field that it does not name. */
export const kernelOf = async (text: string, changes: Partial<OperatorSource> = {}) =>
  KernelFacts.parse(await kernelFacts(sourceOf(text, changes)))
export const hostOf = async (text: string, changes: Partial<OperatorSource> = {}) =>
  HostFacts.parse(await hostFacts(sourceOf(text, {side: 'host', role: 'tiling', ...changes})))

/** The first function of a text, statement by statement. */
export async function flowOf(text: string): Promise<FunctionFlow> {
  const [flow] = await functionFlows(text)
  if (!flow) expect.fail('the text has no function')
  return flow
}

/**
 * What is told of each case, under its name: read beside the code once, and the same since. A sentence that was told
 * before stands there by its number.
 */
export function toldCases(file: string, cases: Readonly<Record<string, string>>): void {
  const numbers = new Map<string, number>()
  const lines = Object.entries(cases).flatMap(([name, told]) => ['', `## ${name}`, '', ...numbered(told, numbers)])
  golden(`test/fixtures/told/parts/${file}.md`, `${lines.slice(1).join('\n')}\n`)
}

function numbered(told: string, numbers: Map<string, number>): string[] {
  const lines: string[] = []
  let isAgain = false
  for (const sentence of told.split(/(?<=[.。;]) |(?<=[。;])|\n+/).filter((one) => one.trim() !== '')) {
    const known = numbers.get(sentence)
    if (known === undefined) numbers.set(sentence, numbers.size + 1)
    const text = known === undefined ? `${numbers.size}. ${sentence}` : `(${known})`
    if (isAgain && known !== undefined) lines.push(`${lines.pop()} ${text}`)
    else lines.push(text)
    isAgain = known !== undefined
  }
  return lines.length > 0 ? lines : ['(nothing)']
}
