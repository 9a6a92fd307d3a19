import {readFileSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {code, files, textOf} from './helpers/house.ts'
import {currentLock, hiddenChanges, keyFiles, type Lock, type ToldPages} from './helpers/stage-lock.ts'

// Kept outcomes are found again by stage and version. The lock says which outputs each version gives, so that other
// outputs under the same version are seen. It compares files alone: that they are what comes out today is for
// stages.test.ts and the tests of told words to say, which also leave out what differs from compiler to compiler.

const lockFile = 'test/fixtures/stages.lock.json'

/** Numbers called a version that are no part of the key of an outcome. */
const otherVersions: Record<string, string> = {
  'engine/from-run.ts': 'it hands on what runs hold; their keys are those of the stages that made it',
  'engine/stage.ts': 'it is an example in a docstring',
  'engine/llm/cache.ts': 'the form of the database; replies of older forms are taken over',
  'pipelines/preference/explain.ts':
    'its second one is the default of an option: what it tells has a version of its own',
  'trainers/engines/accelerate.ts': 'of FSDP',
}

const tests = files.filter((file) => /^test\/pipelines\/.*\.test\.ts$/.test(file))

const told: ToldPages[] = [
  ...parts('pipelines/code/', [
    ['extension-cut.ts', 'extensions'],
    ['offline/definition-request.ts', 'definitions'],
    ['offline/check-text.ts', 'checks'],
    ['offline/host-request.ts', 'hosts'],
    ['offline/inference-request.ts', 'inference'],
    ['offline/kernel-request.ts', 'kernels'],
    ['project/host-plan.ts', 'host-plans'],
  ]),
  ...parts('pipelines/preference/rewinds/', [['told.ts', 'rewound']]),
  ['pipelines/code/project/project-cot.ts', ['projects-a.md', 'projects-b.md'], ['test/fixtures/told/pairs.jsonl']],
  [
    'pipelines/correction/offline/step-reasons.ts',
    ['BiasAdd', 'EmaUpdate', 'QuantizeInt8', 'ReGlu', 'RowSoftmax', 'SmoothL1Loss'].map((name) => `steps-${name}.md`),
    [
      ...['sources/starter/tasks', 'sources/starter/operators', 'pipelines/preference/mutations'],
      'pipelines/documentation/api-index.ts',
    ],
  ],
  [
    'pipelines/correction/offline/step-reasons.ts',
    ['reasons.txt'],
    ['reason-texts.test.ts', 'told-cases.ts', 'told-reasons.ts'].map((name) => `test/pipelines/correction/${name}`),
  ],
  ['pipelines/documentation/segment.ts', ['sections.jsonl'], ['sources/starter/docs', 'sources/docs/pages.ts']],
  ['pipelines/documentation/api-index.ts', ['interfaces.jsonl'], ['sources/starter/docs', 'sources/docs/pages.ts']],
]

/** Pages of `told/parts`, which the writer's own test makes of cases that stand in it. */
function parts(room: string, writers: [writer: string, ...pages: string[]][]): ToldPages[] {
  return writers.map(([writer, ...pages]) => {
    const made = tests.filter((file) => pages.some((page) => textOf(file).includes(`toldCases('${page}'`)))
    return [`${room}${writer}`, pages.map((page) => `parts/${page}.md`), made]
  })
}

test('outputs are those of the lock, or the version is another', () => {
  const now = currentLock(told)
  const locked = JSON.parse(readFileSync(lockFile, 'utf8')) as Lock
  expect(
    hiddenChanges(locked, now),
    'raise each version, let its outputs be written anew, then `npm run lock-stages`',
  ).toEqual([])
  if (process.env['LOCK_STAGES'] === '1') writeFileSync(lockFile, `${JSON.stringify(now, null, 2)}\n`)
  else expect(now, 'versions or cases changed: `npm run lock-stages`').toEqual(locked)
})

test('every version in the code is in a key that the lock can hold, or is listed with its reason', () => {
  const numbered = code.filter((file) => /\b\w*version(?:: | = )\d/i.test(textOf(file)))
  expect(numbered.filter((file) => !keyFiles.includes(file) && !(file in otherVersions))).toEqual([])
})

test('every page of told words of a stage belongs to a writer', () => {
  const pages = files.filter((file) =>
    /^test\/fixtures\/told\/(parts\/|steps-|pages-|writers-|bundled-|projects-)/.test(file),
  )
  const listed = told.flatMap(([, own]) => own.map((page) => `test/fixtures/told/${page}`))
  expect(pages.filter((page) => !listed.includes(page))).toEqual([])
})

describe('a change under the same version is seen', () => {
  const locked = {'a.ts': {version: 2, outputs: {one: '11 gives 22'}}}
  const after = (version: number, outputs: Record<string, string>) =>
    hiddenChanges(locked, {'a.ts': {version, outputs}}).length

  test.each([
    ['the same', 2, {one: '11 gives 22'}, 0],
    ['another output', 2, {one: '11 gives 33'}, 1],
    ['another output of another input', 2, {one: '44 gives 33'}, 0],
    ['one more case', 2, {one: '11 gives 22', two: '11 gives 33'}, 0],
    ['another output of a new version', 3, {one: '11 gives 33'}, 0],
    ['an older version', 1, {one: '11 gives 22'}, 1],
  ])('%s', (_, version, outputs, changes) => {
    expect(after(version, outputs as Record<string, string>)).toBe(changes)
  })
})
