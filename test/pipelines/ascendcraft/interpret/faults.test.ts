import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import twin from '../../../../eval/executors/twin.ts'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import type {Expression, KernelStatement} from '../../../../pipelines/ascendcraft/language/ast.ts'
import type {CheckedModule} from '../../../../pipelines/ascendcraft/language/checked.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {tensorsOf} from '../../../helpers/interpreting.ts'
import {checkedText, runLowered} from '../../../helpers/lowering.ts'
import {realExecutor, testCompiler} from '../../../helpers/real-executor.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {twinCache} from '../../../helpers/test-cache.ts'

/**
 * Programs that the checker accepts and the interpreter refuses, each with the nearest one that is right: lines with
 * `-` stand in the faulty one only, those with `+` in the right one only. Above them: the rule, the interpreter's words,
 * and what the twin says of the same program, compiled: a broken rule, how the run ended, or `runs`.
 */
const folder = 'test/fixtures/language/troubles'
const names = readdirSync(folder).map((file) => file.replace('.diff', ''))
const x = {shape: [16], values: Float64Array.from({length: 16}, (_, at) => at)}

function read(name: string) {
  const [rule, words, said, ...lines] = readFileSync(join(folder, `${name}.diff`), 'utf8')
    .trimEnd()
    .split('\n')
  const programOf = (sign: '-' | '+') =>
    checkedText(lines.flatMap((line) => ([' ', sign].includes(line[0]!) ? `${line.slice(1)}\n` : [])).join(''))
  const after = (line: string | undefined) => line!.replace(/^\w+: /, '')
  return {rule: after(rule), words: after(words), said: after(said), faulty: programOf('-'), right: programOf('+')}
}

const interpreted = (checked: CheckedModule, maximumSteps = 1e6) =>
  interpret(checked, {inputs: tensorsOf(checked, [x])}, {maximumSteps})

/** What a loop without an end may take on the twin: its own limit is made for kernels that work. */
const impatient = async () =>
  twin({
    ...{cacheDirectory: twinCache, workDirectory: await temporaryFolder(), ...testCompiler},
    limits: {run: {cpuSeconds: 2}},
  })

async function saidByTwin(checked: CheckedModule, executor = realExecutor()): Promise<string> {
  const {files} = lower(checked, {operator: 'TroubleCustom'})
  const run = await runLowered('TroubleCustom', checked, files, {x}, {}, executor)
  if (run.outcome === 'ran') return 'runs'
  return run.why.startsWith('{') ? (JSON.parse(run.why) as {outcome: string}).outcome : run.why
}

describe('what the checker cannot see is refused when it happens', () => {
  test.each(names)(
    '%s',
    async (name) => {
      const {rule, words, said, faulty, right} = read(name)
      expect(interpreted(right)).toMatchObject({ok: true})
      const refused = interpreted(faulty)
      expect(refused).toMatchObject({ok: false, fault: {rule, message: words, mend: expect.stringMatching(/\.$/)}})
      expect(await saidByTwin(faulty, said === 'timed-out' ? impatient() : undefined)).toBe(said)
    },
    120_000,
  )

  test('a kernel that runs too long is ended', () => {
    const {right} = read('loop-step')
    expect(interpreted(right, 10)).toMatchObject({ok: false, fault: {rule: 'too-many-steps'}})
  })

  test('every rule has its program', () => {
    const sources = readdirSync('pipelines/ascendcraft/interpret').map((file) =>
      readFileSync(join('pipelines/ascendcraft/interpret', file), 'utf8'),
    )
    const rules = sources.flatMap((text) =>
      [...text.matchAll(/new Trouble\(\s*[\w!]+,\s*'([\w-]+)'/g)].map((one) => one[1]!),
    )
    const shown = new Set(names.map((name) => read(name).rule))
    // The checker refuses the two last ones, whatever the inputs are; the first one is a limit.
    expect([...new Set(rules)].filter((rule) => !shown.has(rule)).sort()).toEqual([
      'sync-missed',
      'too-many-steps',
      'unset-scalar',
    ])
  })
})

describe('what the checker refuses, as if it had not', () => {
  const meeting = () => read('gm-race-meeting').right
  const changed = (checked: CheckedModule, change: (body: readonly KernelStatement[]) => KernelStatement[]) => {
    const {module} = checked
    return {...checked, module: {...module, kernel: {...module.kernel, body: change(module.kernel.body)}}}
  }

  test('a core that misses a meeting: a deadlock', async () => {
    const program = changed(meeting(), (body) => {
      const me = body.find((one) => one.kind === 'assign')!
      const meeting = body.find(({kind}) => kind === 'sync_all')!
      const {line, column} = meeting
      const none: Expression = {line, column, kind: 'number', value: 0, isFloat: false}
      const condition: Expression = {line, column, kind: 'binary', operator: '>', left: me.value, right: none}
      return [...body, {...meeting, kind: 'if', branches: [{condition, body: [meeting]}]}]
    })
    expect(interpreted(program)).toMatchObject({ok: false, fault: {rule: 'sync-missed'}})
    expect(await saidByTwin(program)).toBe('sync-deadlock')
  })

  test('cores that do not meet: a race', async () => {
    const program = changed(meeting(), (body) => body.filter(({kind}) => kind !== 'sync_all'))
    expect(interpreted(program)).toMatchObject({ok: false, fault: {rule: 'unwritten-gm'}})
    expect(await saidByTwin(program)).toBe('gm-race')
  })
})
