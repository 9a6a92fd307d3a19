import {describe, expect, test} from 'vitest'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {DescribedError} from '../../../datasets/schema/edit-facts.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {changesBetween} from '../../../pipelines/correction/references.ts'
import editFacts from '../../../pipelines/facts/edit-facts.ts'
import clusterErrors from '../../../pipelines/correction/cluster-errors.ts'
import {place} from '../../../pipelines/correction/offline/reason.ts'
import {says} from '../../helpers/nth-wording.ts'
import correct from '../../../pipelines/correction/correct.ts'
import references from '../../../pipelines/correction/references.ts'
import {replayModel} from '../../helpers/replay-llm.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {executor, labelled} from '../preference/records.ts'

const path = 'op_kernel/scale_shift.cpp'
const file = (...lines: string[]) => [{path, text: `${lines.join('\n')}\n`}]
const right = file('void Run()', '{', '    Adds(out, in, one, count);', '    queue.FreeTensor(out);', '}')
const clang = {...executor, compiler: 'clang version 15'}
const good: Verdict = {outcome: 'correct', cases: [], executor: clang}

const noFit: Verdict = {
  outcome: 'compile-failed',
  diagnostics: [
    {severity: 'error', file: path, line: 3, column: 5, message: "no matching function for call to 'Adds'"},
    {
      severity: 'note',
      file: 'kernel_operator.h',
      line: 1,
      column: 1,
      message: 'candidate requires 4 arguments, but 3 were provided',
    },
  ],
  log: `${path}:3:5: error: no matching function for call to 'Adds'\n    Adds(out, in, count);`,
  executor: clang,
}
const leak: Verdict = {
  outcome: 'violated',
  case: '1',
  violation: {
    rule: 'tensor-leak',
    block: 0,
    api: '~TPipe',
    tensor: 'VECOUT',
    message: 'never freed',
    fix: 'call FreeTensor',
  },
  executor: clang,
}

const answer = labelled(
  'green',
  'answer',
  {kind: 'answer'},
  {files: right, verdict: good, reasoning: 'One tile after the other.'},
)
const callless = file('void Run()', '{', '    Adds(out, in, count);', '    queue.FreeTensor(out);', '}')
const unfit = labelled('purple', 'm', undefined, {files: callless, verdict: noFit})
const leaking = labelled('orange', 'n', undefined, {
  files: file('void Run()', '{', '    Adds(out, in, one, count);', '}'),
  verdict: leak,
})
const parameters = ['dst', 'src', 'scalar', 'count'].map((name) => ({name, type: 'T'}))
const adds = {
  name: 'Adds',
  purpose: 'Adds a scalar.',
  constraints: ['Aligned to 32 bytes.'],
  prototypes: [{text: 'void Adds(…)', returns: 'void', templates: [], parameters}],
} as unknown as ApiEntry

const failures = (...candidates: LabelledCandidate[]) => described(answer, ...candidates)

const described = async (...candidates: LabelledCandidate[]) => {
  const {outputs} = await runStage(references(), candidates)
  const {outputs: clustered} = await runStage(clusterErrors({names: ['Adds']}), outputs)
  return (await runStage(editFacts(), clustered)).outputs
}

const check = (...verdicts: Verdict[]) => ({
  identity: 'scripted',
  judge: () =>
    Promise.resolve({
      verdict:
        verdicts.shift() ??
        (() => {
          throw new Error('judged too often')
        })(),
    }),
})
const stage = (verdicts: Verdict[] = [], rounds = 3) => correct({apis: [adds], check: check(...verdicts), rounds})

describe('changes between two versions', () => {
  const of = (before: string[], after: string[]) => changesBetween(file(...before), file(...after))

  test('have the line of the first version, and nothing that stays', () => {
    expect(of(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'e'])).toEqual([
      {path, line: 2, removed: ['b'], added: ['x']},
      {path, line: 4, removed: ['d'], added: ['e']},
    ])
  })

  test('may only add, or only remove', () => {
    expect(of(['a', 'c'], ['a', 'b', 'c'])).toEqual([{path, line: 2, removed: [], added: ['b']}])
    expect(of(['a', 'b', 'c'], ['a', 'c'])).toEqual([{path, line: 2, removed: ['b'], added: []}])
    expect(changesBetween([], file('a'))).toEqual([{path, line: 1, removed: [], added: ['a']}])
  })
})

describe('references', () => {
  test('are the nearest correct candidate of the same request; a mutant is none', async () => {
    const near = labelled('green', 'near', {kind: 'variant', rewrites: ['r']}, {files: file('void Run()', '{', '}')})
    const mutant = labelled('green', 'mutant', undefined, {files: callless})
    const elsewhere = labelled('purple', 'o', undefined, {files: callless, prompt: 'Another.'})
    const {outputs, dropped} = await runStage(references(), [answer, near, mutant, unfit, elsewhere])
    expect(outputs.map(({reference}) => reference.files)).toEqual([right])
    expect(dropped.map(({reason}) => reason)).toEqual(['no-green'])
  })
})

describe('a correction without a model', () => {
  test('of a call goes from the message over the declaration to the line', async () => {
    const {outputs} = await runStage(stage(), await failures(unfit), {seed: 'b'})
    const [sample] = outputs
    expect(sample).toMatchObject({
      kind: 'api-correction',
      files: right,
      proof: 'ran',
      failed: {
        outcome: 'compile-failed',
        what: "no matching function for call to 'Adds'",
        signature: expect.stringContaining('Adds'),
        rounds: 0,
      },
    })
    expect(sample!.prompt).toContain('error: no matching function')
    expect(sample!.prompt).toContain('Adds(out, in, count);')
    const lacks = {name: 'Adds', lost: ['one'], place: place(2, ['dst', 'src', 'scalar', 'count'])}
    expect(says(sample!.reasoning, 'compile-causes', 'count', {api: 'Adds', given: 3, wanted: [4]})).toBe(true)
    expect(says(sample!.reasoning, 'argument-reasons', 'missing', lacks)).toBe(true)
    expect(sample!.reasoning).toContain('`Adds(out, in, one, count);`')
    expect(says(sample!.answer, 'argument-reasons', 'missing', lacks)).toBe(true)
    expect(sample!.answer).toContain(formatFiles(right))
  })

  test('of a run tells what is missing and not how the right code works, and shows all that was written', async () => {
    const [sample] = (await runStage(stage(), await failures(leaking))).outputs
    expect(sample).toMatchObject({
      kind: 'kernel-correction',
      language: 'en',
      failed: {what: 'tensor-leak', signature: 'rule tensor-leak'},
    })
    expect(sample!.prompt).toContain('Write ScaleShift.')
    expect(sample!.prompt).toContain('case 1: a rule of the device is broken (tensor-leak)')
    const lacks = {tensor: 'out', queue: 'queue'}
    expect(says(sample!.reasoning, 'missing-reasons', 'free', lacks)).toBe(true)
    expect(says(sample!.reasoning, 'consequences', 'tensor-leak')).toBe(true)
    expect(sample!.reasoning).not.toContain('One tile after the other.')
    expect(says(sample!.answer, 'missing-reasons', 'free', lacks)).toBe(true)
    const host = {path: 'op_host/scale_shift.cpp', text: 'int host;\n'}
    const whole = {written: [path, host.path]}
    const [shown] = (
      await runStage(
        stage(),
        await failures(labelled('orange', 'w', undefined, {files: [...leaking.files, host], verdict: leak, ...whole})),
      )
    ).outputs
    expect(shown!.prompt).toContain('int host;')
    expect(shown!.files.map((one) => one.path)).toEqual([path])
  })

  test('shows the first error, what the next ones say, and how many follow', async () => {
    const more = [4, 4, 5, 1, 2].map((line) => ({...noFit.diagnostics[0]!, line, message: `another in ${line}`}))
    const verdict = {...noFit, diagnostics: [...noFit.diagnostics, ...more]}
    const several = labelled('purple', 's', undefined, {files: callless, verdict})
    const [sample] = (await runStage(stage(), await failures(several))).outputs
    expect(sample!.prompt).toContain(`${path}:4: error: another in 4\n${path}:5: error: another in 5\n${path}:1: error`)
    expect(sample!.prompt).toContain('(2 more errors after these)')
    const alone = (await runStage(stage(), await failures(unfit))).outputs[0]!.prompt
    expect(alone.match(/error:/g)).toHaveLength(1)
    expect(alone).not.toContain('more error')
  })

  test('says of a line that stands in the wrong place where it belongs', async () => {
    const early = labelled('orange', 'e', undefined, {
      files: file('void Run()', '{', '    queue.FreeTensor(out);', '    Adds(out, in, one, count);', '}'),
      verdict: leak,
    })
    const [sample] = (await runStage(stage(), await failures(early))).outputs
    const use = 'Adds(out, in, one, count);'
    expect(says(sample!.reasoning, 'order-reasons', 'free-early', {tensor: 'out', queue: 'queue', use})).toBe(true)
    expect(says(sample!.reasoning, 'corrections', 'behind', {beside: use})).toBe(true)
    expect(sample!.reasoning).not.toContain('is missing')
  })

  test('says where the fault is when the compiler stopped elsewhere', async () => {
    const broken = labelled('purple', 'p', undefined, {
      files: file('void Run()', '{', '    Adds(out, in, one, count)', '    queue.FreeTensor(out);', '}'),
      verdict: {...noFit, diagnostics: [{...noFit.diagnostics[0]!, line: 5, message: 'extraneous closing brace'}]},
    })
    const [sample] = (await runStage(stage(), await failures(broken), {seed: 'b'})).outputs
    expect(says(sample!.reasoning, 'corrections', 'elsewhere', {line: 5, fault: 3, path})).toBe(true)
  })

  test('tells two faults as two, the one that the error is about first', async () => {
    const second = {...noFit.diagnostics[0]!, line: 5, message: "no matching function for call to 'EnQue'"}
    const two = labelled('purple', 't', undefined, {
      files: file('void Run()', '{', '    queue.FreeTensor(&out);', '    Adds(out, in, count);', '}'),
      verdict: {...noFit, diagnostics: [{...noFit.diagnostics[0]!, line: 4}, second]},
    })
    const right = file('void Run()', '{', '    queue.FreeTensor(out);', '    Adds(out, in, one, count);', '}')
    const given = await described(labelled('green', 'a', {kind: 'answer'}, {files: right, verdict: good}), two)
    const [sample] = (await runStage(stage(), given, {seed: 'b'})).outputs
    expect(sample!.answer).toMatch(/^.*\n1\. .*Adds.*\n2\. .*&out/)
    expect(says(sample!.reasoning, 'corrections', 'unmentioned')).toBe(true)
  })

  test.each<[string, Partial<LabelledCandidate>, string]>([
    [
      'of a cheat',
      {verdict: {outcome: 'cheated', rule: 'x', detail: '', literal: true, executor: clang}},
      'fault-is-a-cheat',
    ],
    ['by another compiler', {verdict: {...noFit, executor}}, 'not-clang'],
    ['with the same code', {verdict: leak, files: right}, 'nothing-changes'],
    [
      'of a change that nothing explains',
      {
        verdict: leak,
        files: file('void Run()', '{', '    Adds(out, other, one, count);', '    queue.FreeTensor(out);', '}'),
      },
      'change-unexplained',
    ],
    [
      'of an error beside a fault that only the task shows',
      {
        verdict: {...noFit, diagnostics: [{...noFit.diagnostics[0]!, line: 3}]},
        files: file('void Run()', '{', '    queue.FreeTensor(&out);', '}'),
      },
      'needs-the-task',
    ],
    [
      'of several faults none of which is at the error',
      {
        verdict: {...noFit, diagnostics: [{...noFit.diagnostics[0]!, line: 1, message: 'odd'}]},
        files: file('void Run()', '{', '    Adds(out, in, count);', '    queue.FreeTensor(&out);', '}'),
      },
      'cause-not-found',
    ],
  ])('is not made %s', async (_, over, reason) => {
    const given = await failures(labelled('orange', 'q', undefined, {files: callless, ...over}))
    const {outputs, dropped} = await runStage(stage(), given)
    expect([outputs, dropped.map((one) => one.reason)]).toEqual([[], [reason]])
  })
})

describe('a correction by a model', () => {
  const reply = (text: string, reasoning = 'Thought.') => ({text, reasoning})
  const asked = async (
    replies: {text: string; reasoning: string}[],
    verdicts: Verdict[],
    given: DescribedError[],
    rounds = 3,
  ) => {
    const llm = replayModel(replies)
    return {llm, ...(await runStage(stage(verdicts, rounds), given, {llm}))}
  }

  test('is judged, and what still fails is given back until it holds', async () => {
    const wrong = `Perhaps so.\n${formatFiles(callless)}`
    const {llm, outputs} = await asked(
      [reply(wrong), reply(`Now.\n${formatFiles(right)}`)],
      [leak, good],
      await failures(leaking),
    )
    expect(outputs[0]).toMatchObject({
      reasoning: 'Thought.',
      teacher: {kind: 'model', model: 'replay'},
      files: right,
      verdict: {outcome: 'correct'},
      failed: {rounds: 2},
    })
    expect(outputs[0]!.answer).toMatch(/^Now\./)
    expect(llm.requests[0]!.messages[0]!.content).toContain('This operator for the same task is correct')
    expect(outputs[0]!.prompt).not.toContain('This operator for the same task is correct')
    expect(llm.requests[1]!.messages.map(({role}) => role)).toEqual(['user', 'assistant', 'user'])
    expect(llm.requests[1]!.messages[2]!.content).toContain('tensor-leak')
  })

  test('of a call has to compile, and sees the declaration; of a run it has to be correct', async () => {
    const fixed = `So.\n${formatFiles(right)}`
    const compiled = await asked([reply(fixed)], [leak], await failures(unfit))
    expect(compiled.outputs[0]).toMatchObject({verdict: {outcome: 'compiled'}, proof: 'compiled'})
    expect(compiled.llm.requests[0]!.messages[0]!.content).toContain('void Adds(…)')
    const {outputs, dropped} = await asked([reply(fixed)], [leak], await failures(leaking), 1)
    expect([outputs, dropped.map(({reason}) => reason)]).toEqual([[], ['not-fixed']])
  })

  test('is asked in the language of its question', async () => {
    const fixed = `So.\n${formatFiles(right)}`
    const given = await failures(unfit)
    const languages = new Set<string>()
    for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const llm = replayModel([reply(fixed)])
      const {outputs} = await runStage(stage([good]), given, {llm, seed})
      const name = {en: 'English', zh: 'Chinese'}[outputs[0]!.language]
      expect(llm.requests[0]!.messages[0]!.content).toContain(`in ${name}.`)
      languages.add(name)
    }
    expect(languages.size).toBe(2)
  })

  test('that deletes code is no fix although it compiles, unless it is correct', async () => {
    const emptied = `So.\n${formatFiles(file('void Run()', '{', '}'))}`
    const {llm, outputs, dropped} = await asked(
      [reply(emptied), reply(emptied)],
      [leak, leak],
      await failures(unfit),
      2,
    )
    expect([outputs, dropped.map(({reason}) => reason)]).toEqual([[], ['code-left-out']])
    expect(llm.requests[1]!.messages[2]!.content).toContain('has 2 statements fewer than the code of the question')
    const judged = await asked([reply(emptied)], [good], await failures(unfit), 1)
    expect(judged.outputs).toHaveLength(1)
  })

  test('may take out the statement that is too many', async () => {
    const surplus = file(
      'void Run()',
      '{',
      '    Adds(out, in, one, count);',
      '    out.EnQue();',
      '    queue.FreeTensor(out);',
      '}',
    )
    const given = await failures(labelled('purple', 'x', undefined, {files: surplus, verdict: noFit}))
    expect((await asked([reply(`So.\n${formatFiles(right)}`)], [leak], given, 1)).outputs).toHaveLength(1)
  })

  test('that leaves the same error hears so; of another error what it is', async () => {
    const wrong = `So.\n${formatFiles(callless)}`
    const other: Verdict = {
      ...noFit,
      diagnostics: [{...noFit.diagnostics[0]!, message: "use of undeclared identifier 'two'"}],
      log: `${path}:3:5: error: use of undeclared identifier 'two'`,
    }
    const {llm, dropped} = await asked(
      [reply(wrong), reply(wrong), reply(wrong)],
      [noFit, other, other],
      await failures(unfit),
    )
    expect(llm.requests[1]!.messages[2]!.content).toContain('The same error is still there:')
    expect(llm.requests[2]!.messages[4]!.content).toContain("undeclared identifier 'two'")
    expect(llm.requests[2]!.messages[4]!.content).not.toContain('The same error')
    expect(dropped.map(({reason, detail}) => [reason, detail])).toEqual([
      ['not-fixed', 'ScaleShift, round 3: compile-failed'],
    ])
  })

  test('of a file that stays hears what the compiler says of that file', async () => {
    const header = {path: 'op_kernel/a.h', text: 'int broken\n'}
    const given = await failures(labelled('purple', 'y', undefined, {files: [...callless, header], verdict: noFit}))
    const verdict: Verdict = {
      ...noFit,
      diagnostics: [{...noFit.diagnostics[0]!, file: header.path, line: 1, message: 'expected ;'}],
      log: `noise\n${header.path}:1:5: error: expected ;\n    int broken`,
    }
    const {llm} = await asked([reply(`So.\n${formatFiles(right)}`), reply('No.')], [verdict], given, 2)
    const evidence = llm.requests[1]!.messages[2]!.content
    expect(evidence).toContain('op_kernel/a.h:1:5: error: expected ;')
    expect(evidence).not.toContain('noise')
  })

  test('that was cut off is asked for again and told so', async () => {
    const cut = {text: formatFiles(right).slice(0, 60), reasoning: 'Thought.', finishReason: 'length' as const}
    const llm = replayModel([cut, reply(`Now.\n${formatFiles(right)}`)])
    const {outputs} = await runStage(stage([good]), await failures(unfit), {llm})
    expect(llm.requests[1]!.messages[2]!.content).toContain('The reply was cut off before its end.')
    expect(outputs[0]!.failed!.rounds).toBe(2)
  })

  test('without code is asked for again, and dropped in the end', async () => {
    const {llm, dropped} = await asked([reply('I cannot.'), reply('Sorry.')], [], await failures(unfit), 2)
    expect(llm.requests[1]!.messages[2]!.content).toContain('no file of the question')
    expect(dropped.map(({reason}) => reason)).toEqual(['reply-without-code'])
  })
})
