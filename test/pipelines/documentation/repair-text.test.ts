import {describe, expect, test} from 'vitest'
import {DocPage} from '../../../datasets/schema/document.ts'
import repairText from '../../../pipelines/documentation/repair-text.ts'
import {fixCode, fixProse} from '../../../pipelines/documentation/repair-text.ts'
import {fixMojibake} from '../../../pipelines/documentation/text-repair/mojibake.ts'
import {joinSplitWords} from '../../../pipelines/documentation/repair-text.ts'
import {runStage} from '../../helpers/run-stage.ts'

type Noted = [what: string, before: string, after: string]

/** What a rule makes of a line, and what it notes. */
function fixed(rule: (note: (...said: Noted) => void) => string): [string, ...Noted[]] {
  const notes: Noted[] = []
  return [rule((...said) => void notes.push(said)), ...notes]
}

const asLatin1 = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text))
const asGbk = (text: string) => new TextDecoder('gbk').decode(Buffer.from(text))

describe('text that was read in another encoding', () => {
  test.each(['数据搬运', '“引用”', '→', '¥¥'])('%s is read again from Windows-1252', (text) => {
    const broken = asLatin1(text)
    expect(fixed((note) => fixMojibake(`a ${broken} b`, note))).toEqual([`a ${text} b`, ['mojibake', broken, text]])
  })

  test('is read again from GBK, where it gives Chinese', () => {
    const broken = asGbk('数据内存')
    expect(broken).toBe('鏁版嵁鍐呭瓨')
    expect(fixed((note) => fixMojibake(broken, note))).toEqual(['数据内存', ['mojibake', broken, '数据内存']])
  })

  test.each(['é', 'Ã©Ã', 'naïve café', 'À la carte', '数据搬运到片上', '……——', '※※※', 'Â²ñ', asLatin1('йод')])(
    '%s is left as it is',
    (text) => {
      expect(fixed((note) => fixMojibake(text, note))).toEqual([text])
    },
  )
})

describe('prose', () => {
  const prose = (line: string, isInTable = false) => fixed((note) => fixProse(line, isInTable, note))

  test.each<[string, string, ...Noted[]]>([
    ['a\u200bb\ufeffc', 'abc', ['zero-width', '\u200b', ''], ['zero-width', '\ufeff', '']],
    ['数\u200d据', '数据', ['zero-width', '\u200d', '']],
    ['a\u00adb', 'ab', ['zero-width', '\u00ad', '']],
    ['👩\u200d💻', '👩\u200d💻'],
    ['half１６', 'half16', ['full-width', 'half１６', 'half16']],
    ['ＡＢＣ', 'ＡＢＣ'],
    ['ｘ_1，长度', 'x_1，长度', ['full-width', 'ｘ_1', 'x_1']],
    ['\u2f00个', '一个', ['compatibility-character', '\u2f00', '一']],
    ['a &lt; b', 'a < b', ['double-escape', '&lt;', '<']],
    ['a &#60; b', 'a < b', ['double-escape', '&#60;', '<']],
    ['`a &lt; b` &gt; c', '`a &lt; b` > c', ['double-escape', '&gt;', '>']],
    ['a &copy; b', 'a &copy; b'],
  ])('%j becomes %j', (line, after, ...notes) => {
    expect(prose(line)).toEqual([after, ...notes])
  })

  test('in an HTML table has its own entities, and those that were escaped twice', () => {
    expect(prose('<td>a &lt; b</td>', true)).toEqual(['<td>a &lt; b</td>'])
    expect(prose('<td>a &amp;lt; b &amp; c</td>', true)).toEqual([
      '<td>a &lt; b &amp; c</td>',
      ['double-escape', '&amp;', '&'],
    ])
  })
})

describe('code', () => {
  const code = (line: string, isCpp = true) => fixed((note) => fixCode(line, isCpp, note))

  test.each<[string, string, ...Noted[]]>([
    ['int\u00a0\u00a0a;', 'int  a;', ['no-break-space', '\u00a0\u00a0', '  ']],
    ['f（a，b）；', 'f(a,b);', ...['（(', '，,', '）)', '；;'].map(([a, b]): Noted => ['full-width', a!, b!])],
    ['a\u3000b', 'a b', ['full-width', '\u3000', ' ']],
    ['a\\_b', 'a_b', ['escaped-underscore', '\\_', '_']],
    ['a &lt; b', 'a < b', ['double-escape', '&lt;', '<']],
    ['x = &lt;', 'x = &lt;'],
    ['f("（a）", \'（\'); // （b）', 'f("（a）", \'（\'); // （b）'],
    ['f(/* （a） */ b）;', 'f(/* （a） */ b);', ['full-width', '）', ')']],
    ['把（a）', '把（a）'],
  ])('%j becomes %j', (line, after, ...notes) => {
    expect(code(line)).toEqual([after, ...notes])
  })

  test('of another language keeps its signs', () => {
    expect(code('f（a）\u00a0\u200b', false)).toEqual([
      'f（a） ',
      ['zero-width', '\u200b', ''],
      ['no-break-space', '\u00a0', ' '],
    ])
  })
})

describe('words that a line break split', () => {
  const join = (...lines: string[]) => {
    const notes: [string, string, number][] = []
    const text = joinSplitWords(lines, new Set(['DataCopy', 'repeatTimes']), (...said) => void notes.push(said))
    return [text, ...notes]
  }

  test('are joined where the page writes them whole', () => {
    expect(join('a', 'use Data-', '  Copy here', 'b')).toEqual([
      'a\nuse DataCopy\nhere\nb',
      ['Data-\nCopy', 'DataCopy', 2],
    ])
    expect(join('repeat-', 'Times', 'b')).toEqual(['repeatTimes\nb', ['repeat-\nTimes', 'repeatTimes', 1]])
    expect(join('Data-', 'Paste')).toEqual(['Data-\nPaste'])
    expect(join('Data -', 'Copy')).toEqual(['Data -\nCopy'])
    expect(join('Data-', '', 'Copy')).toEqual(['Data-\n\nCopy'])
    expect(join('Data-')).toEqual(['Data-'])
  })

  test('are left in headings and listings', () => {
    expect(join('# Data-', 'Copy')).toEqual(['# Data-\nCopy'])
    expect(join('```', 'Data-', 'Copy', '```', 'Data-', 'Copy')).toEqual([
      '```\nData-\nCopy\n```\nDataCopy',
      ['Data-\nCopy', 'DataCopy', 5],
    ])
    expect(join('````', '```', 'Data-', 'Copy', '````')).toEqual(['````\n```\nData-\nCopy\n````'])
    expect(join('~~~', '```', 'Data-', 'Copy', '~~~', 'Data-', 'Copy')[0]).toBe('~~~\n```\nData-\nCopy\n~~~\nDataCopy')
  })
})

describe('a page', () => {
  const page = (...lines: string[]) =>
    DocPage.parse({
      origin: {repository: 'r', revision: 'v', path: 'p.md', licence: 'MIT'},
      language: 'zh',
      title: 'Move',
      markdown: lines.join('\n'),
    })
  const repaired = async (...lines: string[]) => {
    const {outputs, dropped} = await runStage(repairText(), [page(...lines)])
    return {page: outputs[0]!, dropped}
  }
  const text = async (...lines: string[]) => (await repaired(...lines)).page.markdown.split('\n')

  test('without a fault is the same', async () => {
    expect((await repaired('把数据搬运到片上。')).page).toEqual(page('把数据搬运到片上。'))
  })

  test('has its repairs by line', async () => {
    const {page: found} = await repaired('DataCopy', 'a &lt; b Data-', 'Copy', '```cpp', 'f（a);', '```')
    expect(found.markdown).toBe('DataCopy\na < b DataCopy\n```cpp\nf(a);\n```')
    expect(found.repairs?.map(({what, line}) => `${line} ${what}`)).toEqual([
      '2 double-escape',
      '2 split-word',
      '5 full-width',
    ])
  })

  test.each(['cpp', 'CPP', 'c++', 'c'])('has C++ in fences of %s', async (language) => {
    expect(await text(`\`\`\`${language}`, 'f（a）', '```')).toEqual([`\`\`\`${language}`, 'f(a)', '```'])
  })

  test.each(['python', 'text', ''])('has no C++ in fences of %j', async (language) => {
    expect(await text(`~~~ ${language}`, 'f（a）\u00a0&lt;', '~~~')).toEqual([`~~~ ${language}`, 'f（a） &lt;', '~~~'])
  })

  test('a fence ends with its own mark, and the next begins another', async () => {
    const lines = ['````cpp', '```', 'f（a）', '````', 'a１ &lt;', '```text', 'f（a）', '```', '```cpp', '（', '```']
    expect(await text(...lines)).toEqual(lines.with(2, 'f(a)').with(4, 'a1 <').with(9, '('))
  })

  test('entities are those of HTML from the table on to its end', async () => {
    const lines = ['&lt;', '<table>', '&lt;', '</table> &lt;', '&lt;', 'a `<table>` b', '&lt;']
    expect(await text(...lines)).toEqual(lines.with(0, '<').with(4, '<').with(6, '<'))
  })

  test('has its formulas checked', async () => {
    const {page: found, dropped} = await repaired('$a+b$ and $$\\frac{a}$$')
    expect(found.latex).toMatchObject({formulas: 2, faulty: [{latex: '\\frac{a}'}]})
    const problem = found.latex!.faulty[0]!.problem
    expect(dropped).toMatchObject([{reason: 'latex-unparsable', detail: `p.md: ${problem}`}])
    expect((await repaired('text')).page.latex).toBeUndefined()
  })
})
