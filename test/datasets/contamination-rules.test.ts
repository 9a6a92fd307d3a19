import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {contaminationIndex} from '../../datasets/contamination/contamination.ts'
import decontaminate from '../../datasets/contamination/decontaminate.ts'
import {DecontaminationFile} from '../../datasets/contamination/decontamination-file.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {collect, kernelSample, recordingContext, stream} from './rows.ts'

/** Statements that no other text has, each told by a number. */
const statements = (count: number, from = 0) => Array.from({length: count}, (_, n) => `x = ${from + n} + y * 3;`)
const calls = (count: number, from = 0) => Array.from({length: count}, (_, n) => `Muls(x, y, ${from + n});`)
const within = (body: readonly string[]) => `__aicore__ inline void Work(int n) {\n${body.join('\n')}\n}\n`
const api = new Set(['Muls', 'PipeBarrier', 'Sub', 'Mul', 'Add'])

function measureOf(texts: readonly (readonly string[])[], text: string, boilerplate: readonly string[] = []) {
  const references = texts.map((own, index) => ({name: `r${index}`, texts: own}))
  return contaminationIndex(references, boilerplate, api).look([{name: 'p', text, as: 'code'}]).leak?.measure
}

const kindOf = (measure: ReturnType<typeof measureOf>) => (measure?.kind === 'code' ? measure.of : measure?.kind)

describe('statements of a file', () => {
  test.each([
    ['13 of 20 are 65 %', 20, 13, 'file'],
    ['12 of 20 are less', 20, 12, undefined],
    ['8 of 11 are as many as a file needs', 11, 8, 'file'],
    ['7 of 10 are too few', 10, 7, undefined],
    ['6 of 8 are 75 % of a small file', 8, 6, 'file'],
    ['5 of 6 are too few of a small file', 6, 5, undefined],
  ])('%s', (_, all, shared, of) => {
    const text = [...statements(shared), ...statements(20, 500)].join('\n')
    expect(kindOf(measureOf([[statements(all).join('\n')]], text))).toBe(of)
  })

  test.each([
    ['20 of 25 that three references share', 25, 20, 'file'],
    ['19 of 25 that three references share', 25, 19, undefined],
    ['9 of 10 that three references share', 10, 9, 'file'],
    ['8 of 10 that three references share', 10, 8, undefined],
    ['9 of 11 that three references share', 11, 9, undefined],
  ])('%s', (_, all, shared, of) => {
    const file = [statements(all).join('\n')]
    const text = [...statements(shared), ...statements(40, 500)].join('\n')
    expect(kindOf(measureOf([file, file, file], text))).toBe(of)
  })

  test.each([
    ['10 statements of a long file and nothing else', 10, 0, 'part'],
    ['9 statements of a long file', 9, 0, undefined],
    ['14 statements of a long file among 20', 14, 6, 'part'],
    ['13 statements of a long file among 20', 13, 7, undefined],
  ])('%s', (_, shared, others, of) => {
    const text = [...statements(shared), ...statements(others, 500)].join('\n')
    expect(kindOf(measureOf([[statements(100).join('\n')]], text))).toBe(of)
  })

  test('statements of three tokens are everybody’s, of four are somebody’s', () => {
    const short = Array.from({length: 30}, (_, n) => `x += ${n};`).join('\n')
    expect(measureOf([[short]], short)).toBeUndefined()
    expect(kindOf(measureOf([[short.replaceAll('x', '*x')]], short.replaceAll('x', '*x')))).toBe('file')
  })

  test('what an innocent text says counts nothing', () => {
    const text = statements(30).join('\n')
    expect(measureOf([[text]], text, [`\`\`\`cpp\n${text}\n\`\`\``])).toBeUndefined()
  })
})

describe('statements of a function', () => {
  const file = (body: readonly string[]) => [`${within(body)}\n${statements(60, 900).join('\n')}`]

  test.each([
    ['8 of 10', 10, 8, 'function'],
    ['7 of 10', 10, 7, undefined],
    ['7 of 8', 8, 7, undefined],
    ['8 of 8', 8, 8, 'function'],
  ])('%s, in a file of others', (_, all, shared, of) => {
    const text = `${within(statements(shared))}${statements(30, 500).join('\n')}`
    expect(kindOf(measureOf([file(statements(all))], text))).toBe(of)
  })

  test.each([
    ['a text that is one function of five calls', calls(5), 'function'],
    ['the same with dead statements', calls(5).map((call) => `${call}\nint dead = 4;`), 'function'],
    ['four of its calls', calls(4), undefined],
    ['a function among as many calls again', [...calls(5), ...calls(5, 700)], undefined],
  ])('%s, shared by two references', (_, body, of) => {
    const own = calls(5)
    const others = {length: 4}
    const texts = [file(own), file(own), ...Array.from(others, () => [''])]
    expect(kindOf(measureOf(texts, within(body)))).toBe(of)
  })
})

describe('a function of a task among another’s code', () => {
  const others = {length: 4}
  const file = [`${within(calls(5))}\n${statements(60, 900).join('\n')}`]
  const texts = [file, file, ...Array.from(others, () => [''])]
  const work = (body: readonly string[], name: string) => within(body).replace('Work', name)
  const another = work(calls(20, 700), 'Another')
  const lerp = ['Sub(y, end, start, n);', 'Mul(y, w, y, n);', 'Add(y, y, start, n);', 'Muls(y, y, s, n);']
  const idiom = within(['Sub(a, b, c, d);', 'Mul(e, f, g, h);', 'Add(i, j, k, l);', 'Muls(m, o, p, q);'])
  const flowing = ['Add(c, a, b, n);', 'Sub(d, c, a, n);', 'Mul(a, d, b, n);', 'Add(b, a, d, n);', 'Sub(a, b, c, n);']

  test('is found by what it says, before or behind the rest', () => {
    for (const text of [`${another}${within(calls(5))}`, `${within(calls(5))}${another}`])
      expect(kindOf(measureOf(texts, text))).toBe('function')
  })

  test('is found by what flows in it', () => {
    const text = `${work(flowing, 'Another')}${within(lerp)}`
    expect(kindOf(measureOf([[within(lerp)]], text, [`\`\`\`cpp\n${idiom}\`\`\``]))).toBe('flow')
  })

  test('is told with the place where it stands', () => {
    const references = texts.map((own, index) => ({name: `r${index}`, texts: own}))
    const place = (name: string, text: string) => ({name, text, as: 'code' as const})
    const look = contaminationIndex(references, [], api).look
    expect(look([place('a.h', another), place('b.h', `${within(calls(5))}${another}`)]).leak?.place).toBe('b.h')
    expect(look([place('b.h', `${within(calls(5))}${another}`), place('a.h', another)]).leak?.place).toBe('b.h')
  })

  test.each([
    ['mixed with as much in one function', within([...calls(5), ...calls(5, 700)])],
    [
      'with its calls spread over functions',
      calls(5)
        .map((call, n) => work([call], `F${n}`))
        .join('') + another,
    ],
    ['with one of its calls missing', within(calls(4)) + another],
  ])('is none %s', (_, text) => {
    expect(measureOf(texts, text)).toBeUndefined()
  })
})

test('barriers between calls do not part them', () => {
  const body = ['Sub(x, y, 1);', 'Mul(x, y, 2);', 'Add(x, y, 3);', 'Muls(x, y, 4);', 'Sub(x, y, 5);']
  const reference = [`${within(body)}\n${statements(60, 900).join('\n')}`]
  const text = within(body.map((call) => `${call}\nPipeBarrier<PIPE_V>();`))
  expect(kindOf(measureOf([reference], `${text}${statements(30, 500).join('\n')}`))).toBe('function')
})

describe('a module of Python', () => {
  const module = (lines: number, from = 0) =>
    `def forward(x):\n${Array.from({length: lines}, (_, n) => `    a = x.roll(${from + n})\n`).join('')}`

  test.each([
    // Besides, both have the definition, and a call of `roll` after another.
    ['5 of 7 statements', 5, 'file'],
    ['4 of 7 statements', 4, undefined],
  ])('%s', (_, shared, of) => {
    expect(kindOf(measureOf([[module(7)]], `${module(shared)}${'    b = x.flip(9)\n'}`))).toBe(of)
  })
})

describe('what flows in a function', () => {
  // Each statement alone, and their order, is everybody's.
  const idiom = within(['Sub(a, b, c, d);', 'Mul(e, f, g, h);', 'Add(i, j, k, l);', 'Muls(m, o, p, q);'])
  const lerp = ['Sub(y, end, start, n);', 'Mul(y, w, y, n);', 'Add(y, y, start, n);', 'Muls(y, y, s, n);']
  const look = (text: string, reference = within(lerp)) =>
    kindOf(measureOf([[reference]], text, [`\`\`\`cpp\n${idiom}\`\`\``]))
  const dead = (line: string, n: number) => `${line}\nint s${n} = ${n}; if (s${n} < ${n}7) { s${n} += ${n}8; }`

  test.each<[string, string, string | undefined]>([
    ['the same under other names', within(lerp).replace(/\b(?:y|end|start|w|n|s)\b/g, 'my_$&'), 'flow'],
    ['with members of a class', within(lerp).replace(/\bw\b/g, 'this->w'), 'flow'],
    ['with dead statements', within(lerp.map(dead)), 'flow'],
    ['with declarations in between', within(lerp.flatMap((line, n) => [`float f${n} = ${n};`, line])), 'flow'],
    [
      'another formula of the same calls',
      within(lerp).replace('Mul(y, w, y', 'Mul(y, y, w').replace('Add(y, y, start', 'Add(y, end, y'),
      undefined,
    ],
    ['the same calls on other tensors', idiom, undefined],
    ['half of it', within(lerp.slice(0, 2)), undefined],
    [
      'with as much of something else',
      within([...lerp, 'Sub(p, p, q, n);', 'Mul(p, q, r, n);', 'Add(r, p, r, n);']),
      undefined,
    ],
  ])('%s', (_, text, of) => {
    expect(look(text)).toBe(of)
  })

  test('eight links are enough to be told by', () => {
    const eight = within([...lerp.slice(0, 3), 'Muls(y, p, s, q);'])
    expect(look(eight, eight)).toBe('flow')
  })

  test('three calls are too short to be told by; functions of the host and entries are not told by it', () => {
    const short = within(lerp.slice(0, 3))
    expect(look(short, short)).toBeUndefined()
    const host = within(lerp).replace('__aicore__ ', '')
    expect(look(within(lerp), host)).toBeUndefined()
    expect(look(within(lerp), `__global__ ${within(lerp)}`)).toBeUndefined()
    expect(look(host, within(lerp))).toBe('flow')
  })
})

describe('words', () => {
  const text = (count: number, from = 0) => Array.from({length: count}, (_, n) => `word${from + n}`).join(' ')
  const shared = (all: number, run: number, holders = 1, boilerplate: string[] = []) => {
    const references = Array.from({length: holders}, (_, n) => ({name: `r${n}`, texts: [text(all)]}))
    const place = {name: 'p', text: `${text(run)} ${text(40, 500)}`, as: 'text' as const}
    return contaminationIndex(references, boilerplate).look([place]).leak !== undefined
  }

  test.each([
    ['8 words of a text of 25 are a leak', 25, 8, true],
    ['7 words of a text of 25 are none', 25, 7, false],
    ['8 words of a text of 26 are none', 26, 8, false],
    ['12 words of a text of 26 are none', 26, 12, false],
    ['13 words of a text of 26 are a leak', 26, 13, true],
    ['a text of 8 words is long enough', 8, 8, true],
    ['a text of 7 words is not', 7, 7, false],
  ])('%s', (_, all, run, isLeak) => {
    expect(shared(all, run)).toBe(isLeak)
  })

  test('the reference that shares most is named, the first of two that share as much', () => {
    const named = (...counts: number[]) => {
      const references = counts.map((_, n) => ({name: `r${n}`, texts: [text(40, 100 * n)]}))
      const said = counts.map((count, n) => text(count, 100 * n)).join(' other words between the two ')
      return contaminationIndex(references, []).look([{name: 'p', text: said, as: 'text'}]).leak?.reference
    }
    expect(named(14, 20)).toBe('r1')
    expect(named(20, 14)).toBe('r0')
    expect(named(16, 16)).toBe('r0')
  })

  test('a run of two references is a leak, of three it is idiom, and so is what an innocent text says', () => {
    expect(shared(40, 20, 2)).toBe(true)
    expect(shared(40, 20, 3)).toBe(false)
    expect(shared(40, 20, 1, [text(40)])).toBe(false)
  })
})

test('the sweep counts a record at the share that it has', async () => {
  const directory = await temporaryFolder()
  const reference = [{name: 'r', texts: [statements(20).join('\n')]}]
  const code = [...statements(14), ...statements(20, 500)].join('\n')
  const record = kernelSample({files: [{path: 'a.cpp', text: code}], answer: 'see file'})
  await collect(decontaminate({config: 'sft', reference, directory}).run(stream([record]), recordingContext()))
  const told = DecontaminationFile.parse(JSON.parse(readFileSync(join(directory, 'decontamination/sft.json'), 'utf8')))
  const shares = told.codeShareSweep.map(({share, records}) => [share, records])
  expect(shares).toEqual([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((share) => [share, share <= 0.7 ? 1 : 0]))
})
