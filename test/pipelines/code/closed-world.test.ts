import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {CheckedOperatorSource} from '../../../datasets/schema/operator.ts'
import type {LanguageModel} from '../../../engine/llm/model.ts'
import {lackingNames as lackingOf, sided} from '../../../pipelines/code/closed-world.ts'
import {givenCode} from '../../../pipelines/code/given-code.ts'
import kernelCot from '../../../pipelines/code/kernel-cot.ts'
import {describedSources} from '../../helpers/described.ts'
import {runStage} from '../../helpers/run-stage.ts'

const [line = ''] = readFileSync('test/fixtures/stages/kernel-cot/offline-kernel-and-host/in.jsonl', 'utf8').split('\n')
const any = CheckedOperatorSource.parse(JSON.parse(line))
const source = (text: string, changes: Partial<CheckedOperatorSource> = {}): CheckedOperatorSource => ({
  ...any,
  proof: 'compiled',
  target: {path: 'op_kernel/a.cpp', text},
  dependencies: [],
  tiling: '',
  ...changes,
})
const lackingNames = ({target: {text}, side}: CheckedOperatorSource, prompt: string, names: ReadonlySet<string>) =>
  lackingOf([{text, side}], prompt, names)
const kernel = (body: string) => `__aicore__ inline void F(int n) {\n${body}\n}\n`
const known = new Set(['Adds', 'LocalTensor', 'GET_TILING_DATA', 'GM_ADDR'])

test.each<[what: string, text: string, prompt: string, names: string[]]>([
  ['names of the SDK are known', kernel('Adds(n);'), '', []],
  ['others are not', kernel('Subs(n, rows_);'), '', ['Subs', 'rows_']],
  ['but where the prompt shows them', kernel('Subs(n, rows_);'), 'It calls `Subs` on rows_.', []],
  ['a part of a word shows nothing', kernel('Adds(rows);'), 'brows rows_', ['rows']],
  ['limits and macros of the build are known', kernel('Adds(UINT64_MAX + sizeof(DTYPE_X) + __NPU_ARCH__);'), '', []],
  ['macros of the C library are known', kernel('Adds(PRId64, INFINITY, M_PI, PRIhat);'), '', ['PRIhat']],
  [
    'code for other chips is to be written as well',
    `#if __NPU_ARCH__ == 3101\n${kernel('Other(n);')}#endif\n${kernel('Adds(n);')}`,
    '',
    ['Other'],
  ],
  [
    'and declares nothing for this one',
    `#if __NPU_ARCH__ == 3101\nint rows;\n#endif\n${kernel('Adds(rows);')}`,
    '',
    ['rows'],
  ],
])('%s', async (_, text, prompt, names) => {
  const found = await lackingNames(source(text), prompt, known)
  expect(found.filter((name) => !['__aicore__', 'F'].includes(name))).toEqual(names)
})

test('what one file declares another one may use, each on its side', async () => {
  const host = {path: 'op_host/a.cpp', text: 'struct Rows { int length_; };\nint T() { return strlen(Own); }\n'}
  const device = {path: 'op_kernel/a.cpp', text: 'int F(Rows rows) { return rows.length_ + strlen(rows); }\n'}
  expect(await lackingOf(sided([host, device]), '', known)).toEqual(['Own', 'strlen'])
})

test('functions of the C library are known on the host alone', async () => {
  const calls = 'int T(const char* a) { return strcmp(a, "x") + ceil(1.5) + Lost(); }\n'
  expect(await lackingNames(source(calls, {side: 'host'}), '', known)).toEqual(['Lost'])
  expect(await lackingNames(source(calls), '', known)).toEqual(['strcmp', 'ceil', 'Lost'])
})

test('setters and getters of a shown field are known, whoever declares it', async () => {
  const host = (changes = {}) => source('void T(D* t) { t->set_rows(t->get_cols()); }\n', {side: 'host', ...changes})
  const lacking = (prompt: string) => lackingNames(host(), prompt, new Set(['D']))
  expect(await lacking('')).toEqual(['set_rows', 'get_cols'])
  expect(await lacking('`rows` and `cols`')).toEqual([])
  const block = 'BEGIN_TILING_DATA_DEF(D)\nTILING_DATA_FIELD_DEF(uint32_t, rows);\nEND_TILING_DATA_DEF;\n'
  const own = host({target: {path: 'op_host/a.cpp', text: `${block}void T(D* t) { t->set_rows(1); }\n`}})
  expect(
    await lackingNames(own, '', new Set(['BEGIN_TILING_DATA_DEF', 'TILING_DATA_FIELD_DEF', 'END_TILING_DATA_DEF'])),
  ).toEqual([])
})

test('what is shown of long files holds the tiling structures and the class that are used', async () => {
  const block =
    'BEGIN_TILING_DATA_DEF(FoldTilingData)\n  TILING_DATA_FIELD_DEF(uint32_t, rows);\nEND_TILING_DATA_DEF;\n'
  const long = `${block}class Fold { int tile_; void CopyIn(); };\n${'void Unused() {}\n'.repeat(2_000)}`
  const dependencies = [{path: 'op_host/fold.h', text: long}]
  const host = source('void T(Data& t) { t.set_rows(1); }\n', {side: 'host', dependencies})
  expect(await givenCode(host, 'en')).toContain('TILING_DATA_FIELD_DEF(uint32_t, rows)')
  expect(await givenCode(source('int x;\n', {dependencies}), 'en')).not.toContain('TILING_DATA_FIELD_DEF')
  const part = {name: 'Fold::CopyIn', signature: 'void CopyIn()', comment: ''}
  expect(await givenCode(source('void CopyIn() { tile_ = 1; }\n', {dependencies, part}), 'en')).toContain('int tile_')
})

/** These kernels are too small to have decisions. */
const isNamed = ({reason}: {reason: string}) => reason !== 'hollow'

test('a row whose answer uses a name that its prompt does not show is refused, with the name', async () => {
  const described = await describedSources([source(kernel('Adds(n);\nLost(n);'))])
  const dropped = async (names?: ReadonlySet<string>) =>
    (await runStage(kernelCot(names ? {known: names} : {}), described)).dropped.filter(isNamed)
  expect(await dropped()).toEqual([])
  expect(await dropped(new Set(['Adds', 'Lost']))).toEqual([])
  const [drop] = await dropped(new Set(['Adds']))
  expect(drop).toEqual({reason: 'prompt-lacks-name', detail: 'Negate op_kernel/a.cpp: Lost'})
  const parsed = await describedSources([source(kernel('Adds(n);\nLost(n);'), {proof: 'parsed'})])
  expect((await runStage(kernelCot({known: new Set()}), parsed)).dropped.filter(isNamed)).toEqual([])
})

describe('a model', () => {
  const said = async (replies: readonly string[], text = kernel('Adds(n);\nLost(n);')) => {
    const asked: string[] = []
    const llm: LanguageModel = {
      ...{profile: 'kernel', model: 'm', fingerprint: 'm'},
      async complete({messages}) {
        const reply = replies[asked.length] ?? ''
        asked.push(messages[0]?.content ?? '')
        return {text: reply, reasoning: '', finishReason: 'stop', model: 'm', usage}
      },
    }
    const host = source(text, {role: 'kernel', dependencies: []})
    const {dropped} = await runStage(kernelCot({known}), await describedSources([host]), {llm})
    return {asked, reasons: dropped.map(({reason}) => reason)}
  }
  const usage = {promptTokens: 1, completionTokens: 1}

  test('is asked for nothing where no request could name what is missing', async () => {
    expect(await said([])).toEqual({asked: [], reasons: ['prompt-lacks-name']})
  })

  test('is told the names that its request has to say, and asked no further where it leaves one out', async () => {
    const formula = 'Adds(x, x, 1.0f, 8);\n  Adds(x, x, 2.0f, 8);\n  Adds(x, x, 3.0f, 8);'
    const body = `GET_TILING_DATA(data, tiling);\n  Adds(data.rows);\n  ${formula}`
    const text = `extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR tiling) {\n  ${body}\n}\n`
    const silent = await said(['<request>Write it.</request>'], text)
    expect(silent).toEqual({
      asked: [expect.stringContaining('nothing else shows: `rows`')],
      reasons: ['prompt-lacks-name'],
    })
    const {asked} = await said(
      ['<request>It reads rows.</request>', '<reasoning>`Adds` adds to `x`, eight elements.</reasoning>'],
      text,
    )
    expect(asked).toHaveLength(2)
  })
})
