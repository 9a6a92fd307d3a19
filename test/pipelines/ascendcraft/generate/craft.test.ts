import {readFileSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {encode} from '../../../../datasets/dtype.ts'
import {formatFiles} from '../../../../datasets/operator-reply.ts'
import {Crafted, type Ablation, type CraftSetting, type CraftTask} from '../../../../datasets/schema/crafted.ts'
import type {SourceFile} from '../../../../datasets/schema/operator.ts'
import {ablationRows, ablationTable} from '../../../../pipelines/ascendcraft/generate/ablation-table.ts'
import {craftOperator} from '../../../../pipelines/ascendcraft/generate/craft-operator.ts'
import type {CraftExample} from '../../../../pipelines/ascendcraft/generate/examples.ts'
import type {Proof} from '../../../../pipelines/ascendcraft/generate/proof.ts'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {proofBy} from '../../../../pipelines/workspace/craft-proof.ts'
import type {ChatBody} from '../../../helpers/chat-server.ts'
import {checkedText, wave} from '../../../helpers/lowering.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {chatServer, teacherAt} from '../../../helpers/teacher.ts'

const program = readFileSync('test/fixtures/craft/program.py', 'utf8')
const lowered = lower(checkedText(program), {operator: 'ShiftedSquareCustom'})
const task: CraftTask = {
  name: 'shifted_square',
  operator: 'ShiftedSquareCustom',
  category: 'activation',
  reference: 'class Model(torch.nn.Module):\n    def forward(self, x):\n        return (x + 1.5) ** 2\n',
  shapes: 'x: float32[rows, columns]\ny: float32[rows, columns]',
}
const examples: CraftExample[] = [
  {name: 'far', category: 'reduce', shapes: 'rows', text: 'FAR EXAMPLE'},
  {name: 'near', category: 'activation', shapes: 'float32 rows, columns', text: 'NEAR EXAMPLE'},
]

function caseOf(shape: [number, number]) {
  const values = Float64Array.from(wave(shape[0] * shape[1]), Math.fround)
  const x = {name: 'x', dtype: 'float32' as const, shape, data: encode(values, 'float32')}
  const y = {name: 'y', dtype: 'float32' as const, shape}
  return {
    operatorCase: {id: shape.join('x'), inputs: [x], attributes: {}, outputs: [y]},
    expected: [values.map((one) => (one + 1.5) ** 2)],
  }
}

let proof: Proof
beforeAll(async () => {
  const cases = {identity: 'two shapes', of: () => Promise.resolve([caseOf([3, 5]), caseOf([40, 2100])])}
  proof = proofBy(await realExecutor(), cases)
}, 120_000)

const python = (text: string) => `First the split, then the tiles.\n\n\`\`\`python\n${text}\`\`\`\n`
const unlawful = program.replace('tl.adds(y_ub, x_ub, shift,', 'tl.adds(y_ub, x_ub,')
const wrong = program.replace('tl.mul(y_ub, y_ub, y_ub', 'tl.add(y_ub, y_ub, y_ub')

/** A model that gives these texts one after another, and the last for ever. */
async function crafted(texts: readonly string[], setting: Partial<CraftSetting> = {}) {
  const words = (index: number) => texts[Math.min(index, texts.length - 1)]!
  const server = await chatServer(({index}) => ({kind: 'words', content: words(index), reasoning: 'because'}))
  const {model} = await teacherAt(server, {maxTokens: 8000})
  const whole: CraftSetting = {rounds: 3, lowering: 'compiler', without: [], ...setting}
  const tools = {llm: model, proof, examples, setting: whole}
  const result = await craftOperator(task, tools, new AbortController().signal)
  Crafted.parse(result)
  return {result, prompts: server.served.map(({body}: {body: ChatBody}) => body.messages)}
}

const findings = ({rounds}: Crafted) =>
  rounds.map(({step, round, finding}) => `${step} ${round} ${finding?.by ?? 'taken'}`)

describe('with the compiler behind stage 1', () => {
  test('a good reply is taken at once', async () => {
    const {result, prompts} = await crafted([python(program)])
    expect(findings(result)).toEqual(['program 1 taken'])
    expect(result).toMatchObject({state: 'correct', program, files: lowered.files, model: 'teacher-model'})
    expect(result.rounds[0]).toMatchObject({reasoning: 'because', reply: python(program).trimEnd()})
    expect(result.rounds[0]!.promptTokens).toBeGreaterThan(0)
    const [first] = prompts[0]!
    expect(first!.content).toContain('# The tile language')
    expect(first!.content).toContain(task.reference)
    expect(first!.content.indexOf('NEAR')).toBeLessThan(first!.content.indexOf('FAR'))
  }, 120_000)

  test('what the reader, the checker and the interpreter find is told, and the next reply may be right', async () => {
    const replies = ['I cannot.', python(unlawful), python(wrong), python(program)]
    const {result, prompts} = await crafted(replies, {rounds: 4})
    expect(findings(result)).toEqual([
      'program 1 reader',
      'program 2 checker',
      'program 3 interpreter',
      'program 4 taken',
    ])
    expect(result.state).toBe('correct')
    expect(prompts[2]!.at(-1)!.content).toMatch(
      /line 15, column \d+, operands: .*write tl\.adds\(dst, src, value, count=\)/,
    )
    expect(prompts[3]!.at(-1)!.content).toMatch(/x: float32\[3, 5\]: the output y is wrong: .*worst at element/)
    expect(prompts[3]!.map(({role}) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  }, 120_000)

  test('a hopeless model ends after its rounds, and nothing of it leaves', async () => {
    const {result, prompts} = await crafted([python(wrong)])
    expect(findings(result)).toEqual(['program 1 interpreter', 'program 2 interpreter', 'program 3 interpreter'])
    expect(prompts).toHaveLength(3)
    expect(result).toMatchObject({state: 'not-compiled', files: []})
    expect(result.program).toBeUndefined()
  }, 120_000)

  test('without pass 4 tails are refused by the twin, and that is told', async () => {
    const {result} = await crafted([python(program)], {rounds: 1, without: ['alignment']})
    expect(findings(result)).toEqual(['program 1 judge'])
    expect(result).toMatchObject({state: 'compiled', files: []})
    expect(result.rounds[0]!.finding!.text).toMatch(/DataCopy/)
  }, 120_000)

  test('tensors under other names are refused before anything runs', async () => {
    const {result} = await crafted([python(program.replaceAll(/\bx\b/g, 'input'))], {rounds: 1})
    expect(result.rounds[0]!.finding).toMatchObject({by: 'interpreter'})
    expect(result.rounds[0]!.finding!.text).toContain('the task has x: float32, y: float32')
  }, 120_000)
})

describe('with a model that lowers', () => {
  const {host, init, compute, aligned} = lowered.passes
  const broken = (files: SourceFile[]) => formatFiles(files.map((one) => ({...one, text: `int x = ;\n${one.text}`})))

  test('each pass is compiled, repaired and handed on', async () => {
    const replies = [python(program), broken(host), ...[host, init, compute, aligned].map(formatFiles)]
    const {result, prompts} = await crafted(replies, {lowering: 'model'})
    expect(findings(result)).toEqual([
      'program 1 taken',
      'host 1 compiler',
      'host 2 taken',
      'init 1 taken',
      'compute 1 taken',
      'aligned 1 taken',
    ])
    expect(result).toMatchObject({state: 'correct', files: aligned})
    const requests = prompts.map((messages) => messages[0]!.content)
    expect(prompts[2]!.at(-1)!.content).toMatch(/does not compile:\n.*expected expression/)
    for (const request of requests.slice(1)) {
      expect(request.match(/^# .*$/gm)).toEqual(
        expect.arrayContaining(['# Task', '# Code so far', '# Rules of this step', '# Interfaces']),
      )
    }
    expect(requests[3]).toContain(host[0]!.text)
    expect(requests[5]).toContain('DataCopyPad')
  }, 240_000)

  test('a pass that stays broken ends the task', async () => {
    const {result} = await crafted([python(program), broken(host)], {lowering: 'model', rounds: 2})
    expect(findings(result)).toEqual(['program 1 taken', 'host 1 compiler', 'host 2 compiler'])
    expect(result).toMatchObject({state: 'not-compiled', files: [], program})
  }, 120_000)

  test('what compiles but computes something else does not leave', async () => {
    const text = (one: SourceFile) => ({...one, text: one.text.replace('Mul(', 'Add(')})
    const replies = [python(program), formatFiles(aligned.map(text))]
    const {result} = await crafted(replies, {lowering: 'model', rounds: 1, without: ['passes']})
    expect(findings(result)).toEqual(['program 1 taken', 'lowering 1 judge'])
    expect(result).toMatchObject({state: 'compiled', files: []})
  }, 120_000)
})

describe('ablations', () => {
  /** Knows the program only with examples in sight, writes it right the second time, and cannot write Ascend C. */
  function behaviour({messages}: ChatBody): string {
    const first = messages[0]!.content
    if (!first.includes('# The tile language')) return 'I do not know Ascend C.'
    if (!first.includes('NEAR EXAMPLE')) return python(wrong)
    return python(messages.length > 1 ? program : unlawful)
  }

  test('the table of a model of known behaviour says what each part brings', async () => {
    const server = await chatServer(({body}) => ({kind: 'words', content: behaviour(body)}))
    const {model} = await teacherAt(server, {maxTokens: 8000})
    const arms: Ablation[][] = [[], ['dsl'], ['examples'], ['feedback'], ['alignment']]
    const all: Crafted[] = []
    for (const without of arms) {
      const setting: CraftSetting = {rounds: 3, lowering: 'compiler', without}
      all.push(await craftOperator(task, {llm: model, proof, examples, setting}, new AbortController().signal))
    }
    const rows = ablationRows(all).map(({arm, compiled, correct, replies}) => [arm, compiled, correct, replies])
    expect(rows).toEqual([
      ['compiler lowers', 1, 1, 2],
      ['compiler lowers, without dsl', 0, 0, 3],
      ['compiler lowers, without examples', 0, 0, 3],
      ['compiler lowers, without feedback', 0, 0, 1],
      ['compiler lowers, without alignment', 1, 0, 3],
    ])
    const table = ablationTable(ablationRows(all), 'A scripted model: these figures test the harness.')
    expect(table).toMatch(/^A scripted model: these figures test the harness\.\n/)
    expect(table).toContain('| compiler lowers | teacher-model | 1 | 1 (100.0 %) | 1 (100.0 %) | 2 |')
  }, 240_000)
})
