import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {contaminationIndex, type Reference} from '../../../datasets/contamination/contamination.ts'
import decontaminate from '../../../datasets/contamination/decontaminate.ts'
import {DecontaminationFile, readDecontamination} from '../../../datasets/contamination/decontamination-file.ts'
import {operatorIdentity} from '../../../datasets/contamination/operator-identity.ts'
import {contentId} from '../../../engine/ids.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {walk} from '../../../engine/files.ts'
import {collect, kernelSample, pair, recordingContext, sample, stream} from '../rows.ts'

const heldout = 'sources/starter/heldout'
const operators = 'sources/starter/operators'

function leakIn(index: ReturnType<typeof contaminationIndex>, text: string, as: 'text' | 'code' = 'text') {
  const {leak} = index.look([{name: 'place', text, as}])
  return leak && {reference: leak.reference, ...leak.measure}
}

interface CodeFile {
  operator: string
  path: string
  text: string
}

async function codeBelow(root: string, operatorOf: (path: string) => string): Promise<CodeFile[]> {
  const files: CodeFile[] = []
  for await (const path of walk(root)) {
    if (/\.(?:cpp|h)$/.test(path))
      files.push({operator: operatorOf(path), path, text: readFileSync(join(root, path), 'utf8')})
  }
  return files
}

let references: Reference[]
let secret: CodeFile[]
let innocent: CodeFile[]
beforeAll(async () => {
  secret = await codeBelow(heldout, (path) => path.split('/')[2] ?? '')
  innocent = await codeBelow(operators, (path) => path.split('/')[0] ?? '')
  references = [...new Set(secret.map((file) => file.operator))].map((name) => ({
    name,
    operator: name,
    texts: secret.filter((file) => file.operator === name).map((file) => file.text),
  }))
})

/** Another author's hand: every name of the file's own is changed, comments are gone, the layout is another. */
function rewritten(text: string): string {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').replaceAll('\n', '\n  ')
  return plain.replace(
    /(?<![\w"])([a-z]\w*_|[a-z]+[A-Z]\w*(?=[\s;,)\].*+<=-]))(?!\w*\()/g,
    (name) => `my_${name.length}_${name.slice(0, 2)}`,
  )
}

const kernels = () => secret.filter((file) => /answer\/.*op_kernel\/[^/]*\.cpp$/.test(file.path))

describe('code', () => {
  test('a held-out kernel is found under other names, in a fence of an answer', () => {
    const index = contaminationIndex(
      references,
      innocent.map((file) => file.text),
    )
    expect(kernels().length).toBeGreaterThanOrEqual(4)
    for (const {operator, text} of kernels()) {
      const copy = rewritten(text)
      expect(copy).not.toContain('tileLength_')
      expect(leakIn(index, `Here it is:\n\n\`\`\`cpp\n${copy}\n\`\`\`\n`), operator).toMatchObject({
        reference: operator,
        kind: 'code',
      })
    }
  })

  test('operators of the same hand are not found, each against all others as boilerplate', () => {
    for (const {operator, path, text} of innocent) {
      const others = innocent.filter((file) => file.operator !== operator).map((file) => file.text)
      // Rebuilding the index for each file would take minutes; one file of an operator stands for its kind.
      if (!/op_kernel\/[^/]*\.cpp$/.test(path)) continue
      expect(leakIn(contaminationIndex(references, others), text), path).toBeUndefined()
    }
  })

  test('a licence header and the skeleton of any kernel are no leak', () => {
    const skeleton =
      /```cpp\n([\s\S]*?)```/.exec(readFileSync('datasets/contamination/boilerplate.md', 'utf8'))?.[1] ?? ''
    const licence = 'Licensed under the Apache License, Version 2.0 (the "License")'
    const header = `/**\n * ${licence}; you may not use this file except in compliance\n */\n`
    const index = contaminationIndex([{name: 'Copied', texts: [`${header}${skeleton}`]}], [])
    expect(skeleton.length).toBeGreaterThan(1000)
    expect(leakIn(index, `${header}${skeleton.replaceAll('xGm', 'inputGm')}`)).toBeUndefined()
  })

  test('what three references share is idiom', () => {
    const shared = kernels()[0]?.text ?? ''
    const named = (name: string) => ({name, texts: [shared]})
    const half = shared.slice(0, shared.length / 2)
    const none = {name: 'B', texts: []}
    expect(leakIn(contaminationIndex([named('A'), none], []), half, 'code')).toMatchObject({reference: 'A'})
    expect(leakIn(contaminationIndex([named('A'), named('B'), named('C')], []), half, 'code')).toBeUndefined()
  })

  test('a whole copy is a leak although three references share it, and wherever it stands', () => {
    const [{text = ''} = {}] = kernels()
    const index = contaminationIndex(
      ['A', 'B', 'C'].map((name) => ({name, texts: [text]})),
      [],
      new Set(['AllocTensor']),
    )
    const copy = text.replace(/\b[A-Z]\w*[a-z]\b/g, (name) => (name === 'AllocTensor' ? name : `Other${name}`))
    expect(leakIn(index, copy, 'code')).toMatchObject({reference: 'A', kind: 'code'})
    const alone = contaminationIndex(
      [
        {name: 'A', texts: [text]},
        {name: 'B', texts: []},
      ],
      [],
      new Set(['AllocTensor']),
    )
    expect(leakIn(alone, `First, as the page says (it is short):\n${copy}\nand then more words.`)).toMatchObject({
      reference: 'A',
    })
    expect(
      leakIn(alone, `<pre>${copy.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</pre>`),
    ).toMatchObject({reference: 'A'})
  })
})

describe('a benchmark answer in disguise', () => {
  const api = new Set(['Maxs', 'Mins', 'Sub', 'Abs', 'Adds', 'Ln', 'Add', 'LocalTensor', 'DataCopy', 'Muls', 'Exp'])
  const answer = readFileSync('test/fixtures/multikernelbench/prompts/ascendc_new_model_tame.py', 'utf8')
  const kernel = /"""([\s\S]*?)"""/.exec(answer)?.[1] ?? ''
  const others = ['P', 'Q', 'R'].map((name) => ({name, texts: []}))
  const index = contaminationIndex([{name: 'Tame', texts: [kernel]}, ...others], [], api)
  const compute = /__aicore__ inline void Compute[\s\S]*?\n {4}\}/.exec(kernel)?.[0] ?? ''
  const dead = (text: string) => text.replace(/;\n/g, ';\n  int32_t spare = 3; if (spare < 0) { spare += 2; }\n')

  test.each<[string, string]>([
    ['as it stands', kernel],
    ['with a dead statement after every statement', dead(kernel)],
    ['under other names', kernel.replace(/\b(?:given|bent|Tame|tileLength|inQueue|outQueue)\b/g, (one) => `my${one}`)],
    ['with this-> and qualifiers', kernel.replaceAll('(given', '(this->given').replaceAll('Local', 'const Local')],
    ['with namespaces', kernel.replace(/\b(?=(?:Maxs|Mins|Sub|Abs|Adds)\()/g, 'AscendC::')],
    ['its function alone', compute],
    ['its function alone with dead statements', dead(compute)],
    [
      'in two functions',
      kernel.replace('        Abs(', '        Rest(p);\n    }\n    void Rest(int32_t p)\n    {\n        Abs('),
    ],
    ['in other words of comments', kernel.replace(/\n {8}/g, '\n // 说明\n        ')],
    ['with directives between', kernel.replace(/\n {8}(?=Sub|Abs|Ln|Maxs)/g, '\n#pragma unroll\n        ')],
  ])('is found %s', (_, text) => {
    expect(leakIn(index, `\`\`\`cpp\n${text}\n\`\`\``)).toMatchObject({reference: 'Tame', kind: 'code'})
  })

  test('is found cut into a prompt and an answer', () => {
    const [first = '', second = ''] = kernel.split(/(?=\n {8}Abs)/)
    const place = (name: string, text: string) => ({name, text: `\`\`\`cpp\n${text}\n\`\`\``, as: 'text' as const})
    expect(leakIn(index, second)).toBeUndefined()
    expect(index.look([place('prompt', first), place('answer', second)]).leak?.reference).toBe('Tame')
  })

  test('is not found where half of it is something else, and how near it came is told', () => {
    const other = kernel.replace(/(Maxs|Mins|Sub|Abs|Ln|Add)\(([^;]*)\);/g, 'Muls($2, 7.5f); Exp($2);')
    const {leak, near} = index.look([{name: 'a', text: other, as: 'code'}])
    expect(leak).toBeUndefined()
    expect(near).toBeLessThan(0.65)
  })

  test('a module of Python is found by its statements, whatever its names and comments are', () => {
    const module = (stem: string) => readFileSync(`test/fixtures/multikernelbench/reference/${stem}.py`, 'utf8')
    const task = module('activation/tame')
    const grad = {name: 'grad', texts: [module('npukernelbench_level0/7_tame_grad')]}
    const modules = contaminationIndex([{name: 'tame', texts: [task]}, grad, ...others], [])
    const changed = task
      .replace(/"""[^"]*"""/, '"""Autre chose."""')
      .replace(/\b(?:limited|rows|columns|bound)\b/g, (one) => `${one}2`)
    const fenced = (text: string) => `\`\`\`python\n${text}\n\`\`\``
    expect(leakIn(modules, fenced(changed.replace(/\n\n+/g, '\n# note\n')))).toMatchObject({
      reference: 'tame',
      kind: 'code',
    })
    const frame = task
      .replace(/\n {8}(?:limited|return).*/g, '')
      .replaceAll('2.5', '3')
      .replace('1031', '7')
    expect(leakIn(modules, fenced(frame.replace(/"""[^"]*"""/, '')))?.kind).not.toBe('code')
  })
})

describe('prose', () => {
  const description =
    'For every row the operator takes the mean of the absolute differences between prediction and target, ' +
    'then writes one number a row in the order of the rows.'
  const index = () => contaminationIndex([{name: 'RowL1Loss', texts: [description]}], [])

  test('thirteen words in a row are a leak, with other punctuation and case', () => {
    const quoted = description.split(' ').slice(4, 17).join(' ').toUpperCase()
    expect(leakIn(index(), `Task:\n> ${quoted}!`)).toEqual({reference: 'RowL1Loss', kind: 'words', runs: 1, length: 13})
  })

  test('twelve are not, of a long text', () => {
    const cores = 'Rows are independent of each other and their number need not be a multiple of the number of cores.'
    const long = `${description} ${cores}`
    const twelve = long.split(' ').slice(20, 32).join(' ')
    expect(
      leakIn(
        contaminationIndex([{name: 'A', texts: [long]}], []),
        `${twelve} and something else entirely in this place`,
      ),
    ).toBeUndefined()
  })

  test('eight are, of a short text', () => {
    const short = contaminationIndex(
      [{name: 'A', texts: ['Divide each row by the square root of its summed squares']}],
      [],
    )
    expect(leakIn(short, 'please divide each row by the square root of what you like')).toMatchObject({
      runs: 1,
      length: 8,
    })
  })

  test('Chinese runs are counted in words', () => {
    const chinese =
      '对输入张量的每一行计算预测值与目标值之差的绝对值的平均值，并把结果写入输出张量的对应位置，行数可以不是核数的整数倍。'
    expect(
      leakIn(contaminationIndex([{name: 'A', texts: [chinese]}], []), `题目：${chinese.slice(2, 40)}。`),
    ).toMatchObject({reference: 'A', kind: 'words'})
  })
})

describe('the stage', () => {
  const stage = () =>
    decontaminate({config: 'sft', reference: references, boilerplate: innocent.map((file) => file.text)})

  test('looks at prompt, answer and files, and says which reference and how much', async () => {
    const context = recordingContext()
    const [leak] = kernels()
    const renamed = rewritten(leak?.text ?? '').replace(/(__global__ __aicore__ void )\w+/, '$1other_name')
    const clean = [sample(), kernelSample()]
    const leaked = [
      kernelSample({prompt: `Explain:\n\`\`\`cpp\n${renamed}\n\`\`\``}),
      kernelSample({answer: `\`\`\`cpp\n${renamed}\n\`\`\``}),
      kernelSample({files: [{path: 'op_kernel/a.cpp', text: renamed}], answer: 'see file'}),
    ]
    expect(await collect(stage().run(stream([...clean, ...leaked]), context))).toEqual(clean)
    expect(context.drops).toHaveLength(3)
    for (const drop of context.drops) {
      expect(drop.reason).toBe('contaminated')
      expect(drop.detail).toMatch(
        new RegExp(`^${leak?.operator}: \\d+ of the \\d+ statements of a file in the (prompt|answer|op_kernel/a.cpp)$`),
      )
    }
  })

  const own = 'extern "C" __global__ __aicore__ void hardswish_custom(GM_ADDR x) { Mine(x); }'
  const namesake = () => kernelSample({files: [{path: 'a.cpp', text: own}], answer: own})

  test('leaves another code for a held-out operator, unless its name is asked for, however it is written', async () => {
    const context = recordingContext()
    expect(await collect(stage().run(stream([namesake()]), context))).toHaveLength(1)
    const byName = decontaminate({config: 'sft', reference: references, operators: ['name']})
    expect(await collect(byName.run(stream([namesake()]), context))).toEqual([])
    expect(context.drops).toMatchObject([{reason: 'benchmark-operator', detail: 'Hardswish, by its name'}])
  })

  test.each([
    ['in the code of an API', {text: 'aclnnStatus aclnnHardswishGetWorkspaceSize(int x) {}', prompt: 'Write it.'}, 1],
    ['in the request', {text: 'int a;', prompt: '请编写算子 `HardSwish` 的核函数。'}, 1],
    ['in shape inference', {text: 'IMPL_OP_INFERSHAPE(Hardswish).InferShape(F);', prompt: 'Write it.'}, 1],
    ['nowhere but in a path', {text: 'int a;', prompt: 'Write it.'}, 0],
    ['in a call', {text: 'void f() { Hardswish(a); }', prompt: 'Write it.'}, 0],
  ])('a name %s', async (_, {text, prompt}, drops) => {
    const context = recordingContext()
    const byName = decontaminate({config: 'sft', reference: references, operators: ['name']})
    const one = kernelSample({files: [{path: 'op_kernel/hardswish.cpp', text}], answer: text, prompt})
    await collect(byName.run(stream([one]), context))
    expect(context.drops).toHaveLength(drops)
  })

  test('a formula tells the operator however it is set, and a data type narrows it', async () => {
    const task = {name: 'level1/X', texts: ['$$ y = x \\cdot \\mathrm{sigmoid}(\\beta x) $$', 'DT_FLOAT16']}
    const asked = kernelSample({
      prompt: 'Compute $out_i=x*sigmoid(\\beta x)$ for `DT_INT8`.',
      files: [],
      answer: 'int a;',
    })
    const reasons = async (operators: readonly ('formula' | 'dtype')[], texts: string[]) => {
      const context = recordingContext()
      const reference = [{...task, texts}]
      await collect(decontaminate({config: 'sft', reference, operators}).run(stream([asked]), context))
      return context.drops.map(({detail}) => detail)
    }
    expect(await reasons(['formula'], task.texts)).toEqual(['level1/X, by its formula'])
    expect(await reasons(['formula', 'dtype'], task.texts)).toEqual([])
    expect(await reasons(['formula', 'dtype'], [...task.texts, 'int8'])).toEqual(['level1/X, by its formula'])
    expect(await reasons(['formula'], ['$$ y = x + 1 $$'])).toEqual([])
  })

  test('six letters to the right are a formula, five are not', () => {
    const told = (formula: string) => {
      const text = `$y = ${formula}$`
      return operatorIdentity([{name: 'A', texts: [text]}], ['formula'])({prompt: text, replies: [], files: []})
    }
    expect(told('x+y+z2')).toEqual({reference: 'A', by: 'formula'})
    expect(told('x+y+z')).toBeUndefined()
  })

  test.each([
    ['Write the Hardswish operator.', 1],
    ['Please implement a kernel for hardswish.', 1],
    ['实现算子HardSwish的计算。', 1],
    ['Call aclnnHardswish and explain.', 1],
    ['Hardswish is explained elsewhere.', 0],
  ])('a request in other words: %s', async (prompt, drops) => {
    const context = recordingContext()
    const byName = decontaminate({config: 'sft', reference: references, operators: ['name']})
    await collect(byName.run(stream([sample({prompt})]), context))
    expect(context.drops.map(({reason}) => reason)).toEqual(Array(drops).fill('benchmark-operator'))
  })

  test('tells in the data set what was removed, and what other thresholds would meet', async () => {
    const directory = await temporaryFolder()
    const [leak] = kernels()
    const leaked = kernelSample({files: [{path: 'a.cpp', text: leak?.text ?? ''}], answer: 'see file'})
    const named = sample({prompt: 'Write the LogSumExp operator.'})
    const told = decontaminate({config: 'sft', reference: references, operators: ['name'], directory})
    await collect(told.run(stream([sample(), leaked, named]), recordingContext()))
    const file = DecontaminationFile.parse(
      JSON.parse(readFileSync(join(directory, 'decontamination/sft.json'), 'utf8')),
    )
    const against = references.map(({name}) => name)
    expect(file).toMatchObject({config: 'sft', operators: ['name'], checked: 3, against})
    expect(file.removed).toMatchObject([
      {id: contentId(leaked), reference: leak?.operator, by: 'code', place: 'a.cpp', of: 'file', share: 1},
      {id: contentId(named), reference: 'LogSumExp', by: 'name'},
    ])
    expect(file.codeShareSweep.at(-1)).toEqual({share: 0.9, records: 1})
    const [read] = await readDecontamination(directory, ['sft', 'dpo'])
    expect(read?.path).toBe('decontamination/sft.json')
  })

  test('drops a pair whose task is held out where names are asked for', async () => {
    const context = recordingContext()
    const pairs = [pair(), pair({task: 'LogSumExp'})]
    const byName = decontaminate({config: 'dpo', reference: references, operators: ['name']})
    expect(await collect(byName.run(stream(pairs), context))).toEqual([pairs[0]])
    expect(context.drops[0]?.detail).toBe('LogSumExp, by its name')
  })
})
