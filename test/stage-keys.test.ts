import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Executor} from '../datasets/schema/executor.ts'
import {contentId} from '../engine/ids.ts'
import type {Stage} from '../engine/stage.ts'
import card from '../datasets/card/card.ts'
import {qwen3} from '../datasets/tokens/chat-format.ts'
import decontaminate from '../datasets/contamination/decontaminate.ts'
import dedup from '../datasets/dedup/dedup.ts'
import exportGate from '../datasets/gates/export-gate.ts'
import familyCap from '../datasets/dedup/family-cap.ts'
import licenceGate from '../datasets/gates/licence-gate.ts'
import markedGate from '../datasets/gates/marked-gate.ts'
import mix from '../datasets/mix.ts'
import parquet from '../datasets/parquet/parquet.ts'
import split from '../datasets/split.ts'
import stamp from '../datasets/stamp.ts'
import arrowFiles from '../datasets/views/arrow-files.ts'
import writeViews from '../datasets/views/views.ts'
import judgeModel from '../eval/bench/multikernelbench/judge-model.ts'
import modelCandidates from '../eval/bench/multikernelbench/model-candidates.ts'
import {wholeOperator} from '../eval/bench/whole-operator.ts'
import replies from '../eval/candidates/replies.ts'
import samples from '../eval/candidates/samples.ts'
import judge, {type JudgeOptions} from '../eval/judge.ts'
import modelledCost from '../eval/modelled-cost.ts'
import score from '../eval/score.ts'
import folderTasks from '../eval/tasks/folder-tasks.ts'
import selectTasks from '../eval/tasks/select-tasks.ts'
import craft from '../pipelines/ascendcraft/generate/craft.ts'
import alikeFunctions from '../pipelines/code/alike-functions.ts'
import compileCheck from '../pipelines/code/compile-check.ts'
import evaluatedCot from '../pipelines/code/evaluated/evaluated-cot.ts'
import pairTasks from '../pipelines/code/evaluated/pair-tasks.ts'
import sameCode from '../pipelines/code/evaluated/same-code.ts'
import deviceShare from '../pipelines/code/device-share.ts'
import kernelCot from '../pipelines/code/kernel-cot.ts'
import sourceRuns from '../pipelines/facts/source-runs.ts'
import parts from '../pipelines/code/parts.ts'
import projectCot from '../pipelines/code/project/project-cot.ts'
import scenarios from '../pipelines/code/scenarios/scenarios.ts'
import sideCheck from '../pipelines/code/side-check.ts'
import pairs from '../pipelines/code/specialise/pairs.ts'
import clusterErrors from '../pipelines/correction/cluster-errors.ts'
import correct from '../pipelines/correction/correct.ts'
import errorEntries from '../pipelines/correction/error-entries.ts'
import apiIndex from '../pipelines/documentation/api-index.ts'
import correctFormulas from '../pipelines/documentation/correct-formulas.ts'
import documentationCot from '../pipelines/documentation/cot.ts'
import diversify from '../pipelines/documentation/diversify.ts'
import relate from '../pipelines/documentation/relate.ts'
import repairImages from '../pipelines/documentation/repair-images.ts'
import segment from '../pipelines/documentation/segment.ts'
import verifyCode from '../pipelines/documentation/verify-code.ts'
import generalLanguage from '../pipelines/general/general-language.ts'
import generalLength from '../pipelines/general/general-length.ts'
import generalPerplexity from '../pipelines/general/general-perplexity.ts'
import candidates from '../pipelines/preference/candidates.ts'
import explain from '../pipelines/preference/explain.ts'
import pair, {type PairOptions} from '../pipelines/preference/pair.ts'
import rewoundCandidates from '../pipelines/preference/rewound-candidates.ts'
import rewoundPairs from '../pipelines/preference/rewound-pairs.ts'
import unpaired from '../pipelines/preference/unpaired.ts'
import documentationPages from '../sources/docs/pages.ts'
import flatten from '../sources/kernels/flatten.ts'
import {temporaryFolder} from './helpers/temporary.ts'
import {scriptedExecutor, scriptedIdentity} from './helpers/scripted-executor.ts'

// What shapes a stage's outcomes is part of the key under which they are kept: two settings of it never share one.

const executor = scriptedExecutor({run: () => []})
const newer: Executor = {...executor, identity: {...scriptedIdentity, fingerprint: 'scripted-2'}}
const unused = () => {
  throw new Error('a key is made without any work')
}

function keyOf({name, version, options}: Stage<never, never> | Stage<unknown, unknown>): string {
  return contentId({name, version, options: options ?? null})
}

const asAny = (stage: unknown) => stage as Stage<unknown, unknown>

describe('another executor, and another build of the same one, gives another key', () => {
  const rest = {program: unused, inline: unused, licence: unused, differs: unused}
  const stages: Record<string, (executor: Executor) => unknown> = {
    judge: (one) => judge({executor: one}),
    'modelled-cost': (one) => modelledCost({executor: one}),
    'compile-check': (one) => compileCheck({executor: one}),
    'side-check': (one) => sideCheck({executor: one, ...rest}),
    scenarios: (one) => scenarios({executor: one, ...rest}),
    pairs: (one) => pairs({executor: one, ...rest}),
    'pair-tasks': (one) => pairTasks({executor: one, ...rest}),
    'documentation-verify-code': (one) => verifyCode({executor: one}),
  }
  test.each(Object.entries(stages))('%s', (_, of) => {
    const others: Executor[] = [
      newer,
      {...executor, identity: {...scriptedIdentity, compiler: 'another'}},
      {...executor, identity: {...scriptedIdentity, soc: 'Ascend910B1'}},
    ]
    const keys = [executor, ...others].map((one) => keyOf(asAny(of(one))))
    expect(new Set(keys).size).toBe(keys.length)
  })
})

/** The options that a stage is given by a record, each on its own, beside one that has none of them. */
function expectApart<T>(of: (options: T) => unknown, settings: readonly T[]): void {
  const keys = settings.map((one) => keyOf(asAny(of(one))))
  const twice = keys.flatMap((key, at) => (keys.indexOf(key) < at ? [JSON.stringify(settings[at])] : []))
  expect(twice, 'settings that share the key of another').toEqual([])
}

describe('every option that shapes an outcome changes the key', () => {
  test('judge', () => {
    const pytorch = (identity: string) => ({identity, open: unused})
    expectApart<Partial<JudgeOptions>>(
      (options) => judge({executor, ...options}),
      [
        {},
        {cases: 1},
        {cases: 2},
        {seed: 'a'},
        {seed: 'b'},
        {families: []},
        {families: ['zeros']},
        {families: ['boundary', 'uniform']},
        {sizes: 'pinned'},
        {exempt: {Add: 'why'}},
        {exempt: {'*': 'why'}},
        {tolerant: true},
        {recheck: 'failed'},
        {recheck: 'all'},
        {pytorch: pytorch('2.1')},
        {pytorch: pytorch('2.2')},
      ],
    )
  })

  test('pair', () => {
    expectApart<PairOptions>(pair, [
      {},
      {strategies: ['execution-fail']},
      {strategies: ['compile-fail']},
      {maxPairsPerTask: 7},
      {maxPairsPerChosen: 3},
      {minChangedShare: 0.2},
      {maxLengthRatio: 2},
    ])
  })

  test('scenarios, pairs and pair-tasks', () => {
    const rest = {executor, program: unused, inline: unused, licence: unused, differs: unused}
    expectApart<object>((one) => scenarios({...rest, ...one}), [{}, {columns: 3}, {runs: 3}, {attempts: 39}])
    expectApart<object>((one) => pairs({...rest, ...one}), [{}, {maxBytes: 1}])
    expectApart<object>((one) => pairTasks({...rest, ...one}), [{}, {mostBytes: 1}])
    expectApart<object>((one) => modelledCost({executor, ...one}), [{}, {elements: 1}])
  })

  const part = (of: (options: never) => unknown, ...settings: object[]) =>
    expectApart<object>((one) => of(one as never), [{}, ...settings])

  test('of a release', () => {
    const reference = [{name: 'r', texts: ['t']}]
    const table: [of: (options: never) => unknown, given: object, ...settings: object[]][] = [
      [split as never, {config: 'sft'}, {testFraction: 0.1}, {config: 'dpo'}],
      [mix, {}, {share: 0.5}, {ratios: {code: 1}}, {ratios: {code: 2}}],
      [exportGate as never, {config: 'sft'}, {config: 'dpo'}, {maxTokens: 9}, {format: {...qwen3, fingerprint: 'f'}}],
      [licenceGate as never, {config: 'sft'}, {config: 'dpo'}, {allow: ['MIT']}],
      [markedGate as never, {config: 'sft', marked: {}}, {config: 'dpo'}, {marked: {a: 'false'}}],
      [dedup as never, {config: 'sft'}, {config: 'dpo'}, {near: {kernel: 0.5}}, {api: ['Add']}],
      [
        decontaminate as never,
        {config: 'sft', reference: []},
        ...[
          {config: 'dpo'},
          {reference},
          {boilerplate: ['b']},
          {api: ['Add']},
          {operators: ['name']},
          {directory: 'd'},
        ],
      ],
      [
        stamp as never,
        {config: 'sft', runs: []},
        {config: 'dpo'},
        {runs: [{stages: {a: 1}}]},
        {runs: [{stages: {a: 2}}]},
      ],
      [familyCap as never, {api: []}, {most: 7}, {api: ['Add']}],
      [
        parquet as never,
        {config: 'sft', directory: 'd'},
        ...[{config: 'dpo'}, {directory: 'e'}, {format: {fingerprint: 'f'}}, {codec: 'snappy'}],
        ...[{maxShardBytes: 9}, {rowGroupBytes: 9}, {rowGroupRows: 9}],
      ],
      [writeViews as never, {directory: 'd', views: []}, {directory: 'e'}, {views: ['messages']}, {codec: 'snappy'}],
      [arrowFiles as never, {directory: 'd', wanted: true}, {directory: 'e'}, {wanted: false}],
      [
        card as never,
        {directory: 'd'},
        ...[{directory: 'e'}, {title: 'T'}, {dropReasons: [{reason: 'r'}]}, {heldOut: [{name: 'n'}]}],
        ...[{regenerate: ['c']}, {licenceTexts: {MIT: 't'}}, {copyrights: {r: ['c']}}],
      ],
    ]
    for (const [of, given, ...settings] of table) part((one: object) => of({...given, ...one} as never), ...settings)
  })

  test('of sources, documentation and code', () => {
    const images = (fingerprint: string) => ({images: {fingerprint}})
    const mode = (prompt: string) => ({...wholeOperator, prompt, chinese: prompt})
    const modes = (kernel: string, full: string) => ({modes: {'kernel-only': mode(kernel), full: mode(full)}})
    part(flatten, {minLines: 9})
    part(parts, {most: 9}, {minLines: 9}, {mostShare: 0.9})
    part(alikeFunctions, {most: 9})
    part(deviceShare, {least: 0.5})
    part(kernelCot, {maxBytes: 9}, {known: new Set(['a'])}, {known: new Set(['b'])})
    part(documentationPages, {order: 'tree'}, {product: 'A3'})
    part(segment, {minCharacters: 9}, {contextCharacters: 9})
    part(relate, {ownCharacters: 9}, {otherCharacters: 9}, {passageCharacters: 9})
    part(diversify, {mostShare: 0.5}, {atLeast: 9})
    part(documentationCot, {languages: ['zh']}, {languages: ['page', 'en']}, {mostQuestions: 9})
    expectApart<object>((one) => apiIndex(one as never), [{product: '910b'}, {product: '310p'}])
    expectApart<object>((one) => repairImages(one as never), [images('a'), images('b')])
    expectApart<object>((one) => correctFormulas(one as never), [images('a'), images('b')])
    expectApart<object>((one) => sourceRuns(one as never), [{seen: new Map()}, {seen: new Map([['b', []]])}])
    part(projectCot, {leastScore: 0.5}, {known: new Set(['a'])})
    part((one: object) => sameCode({inline: unused, ...one}), {most: 9})
    part(
      (one: object) => evaluatedCot({executor, inline: unused, close: unused, ...modes('a', 'b'), ...one} as never),
      ...[modes('c', 'b'), modes('a', 'c'), {mostBytes: 9}, {executor: newer}, {known: new Set(['a'])}],
    )
    part(generalLanguage, {languages: ['zh']}, {unicode: 'NFKC'})
    part(generalLength, {minTokens: 9}, {maxTokens: 9})
    part(generalPerplexity, {low: 0.5}, {high: 0.5}, {leastSamples: 9})
  })

  test('of preference, correction and evaluation', async () => {
    const file = join(await temporaryFolder(), 'replies.jsonl')
    writeFileSync(file, '{"task": "Add", "reply": "r"}\n')
    const evaluation = {mode: 'full', shape: 'dynamic'}
    const other = {evaluation: {...evaluation, shape: 'static'}}
    const asked = {mode: {...wholeOperator, prompt: 'other'}}
    const proof = (identity: string) => ({proof: {identity}})
    part(candidates, {count: 9}, {faultsThatRun: 0.9}, {severalFaults: 0.9})
    part(explain, {reason: unused}, {reason: unused, reasonVersion: 2})
    part(unpaired, {maxPerTask: 9})
    part(rewoundCandidates, {count: 9})
    part(rewoundPairs, {leastGain: 0.5}, {maxPairsPerTask: 9})
    part((one: object) => clusterErrors({names: [], ...one}), {names: ['Add']}, {classify: unused}, {most: 9})
    part((one: object) => errorEntries({names: [], ...one}), {names: ['Add']}, {classify: unused})
    const check = (identity: string) => ({check: {identity}})
    part(
      (one: object) => correct({apis: [], ...check('a'), ...one} as never),
      ...[check('b'), {apis: [{name: 'Add'}]}, {rounds: 9}],
    )
    part(
      (one: object) =>
        craft({setting: {rounds: 1, lowering: 'model', without: []}, examples: [], ...proof('a'), ...one} as never),
      ...[{setting: {rounds: 2, lowering: 'model', without: []}}, {examples: [{name: 'e'}]}, proof('b')],
    )
    part(score, {ks: [1]}, {ks: [1, 2]})
    part((one: object) => samples({profile: 'p', count: 1, evaluation, ...one} as never), {count: 2}, asked, other)
    part((one: object) => replies({file, evaluation, ...one} as never), asked, other)
    part((one: object) => folderTasks({folders: [], ...one}), {folders: [{root: 'a'}]}, {folders: [{root: 'b'}]})
    part((one: object) => selectTasks({pattern: 'a', ...one}), {pattern: 'b'})
    const source = (id: string) => ({source: {id, repliesTo: unused}})
    part((one: object) => modelCandidates({...source('a'), ...one} as never), source('b'), {pattern: 'c'})
    part(
      (one: object) => judgeModel({identity: {name: 'a'}, open: unused, workDirectory: 'w', ...one} as never),
      ...[{identity: {name: 'b'}}, {tiers: ['odd']}, {largestInput: 9}, {trials: 9}],
    )
  })

  test('how many work at once does not', () => {
    expect(keyOf(asAny(judge({executor, concurrency: 1})))).toBe(keyOf(asAny(judge({executor, concurrency: 7}))))
  })
})
