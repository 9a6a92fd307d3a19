import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import documentationPages from '../../../sources/docs/pages.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const text = '这一页说明接口的作用、参数与约束，长度足够成为一页文档，因此不会被当作空页丢弃，也不会被看成目录。'

async function folder(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), {recursive: true})
    writeFileSync(join(root, path), content)
  }
  return root
}

const run = async (files: Record<string, string | Uint8Array>) =>
  runStage(documentationPages(), [{root: await folder(files), repository: 'r', revision: 'v', licence: 'Apache-2.0'}])

describe('documentationPages', () => {
  test('reads the starter corpus without a loss', async () => {
    const {outputs, dropped} = await runStage(documentationPages(), [
      {root: 'sources/starter/docs', repository: 'ascend-cot/starter', revision: '1', licence: 'NOASSERTION'},
    ])
    expect(dropped).toEqual([])
    expect(outputs.length).toBe(16)
    expect(outputs.filter((page) => page.language === 'zh').length).toBe(11)
    expect(new Set(outputs.map((page) => page.origin.licence)), 'the licence that a page states wins').toEqual(
      new Set(['Apache-2.0']),
    )
    expect(outputs[0]!.origin.path).toBe('add.html')
  })

  test('walks in path order and takes HTML and Markdown', async () => {
    const {outputs} = await run({
      'b/x.md': `# B\n\n${text}`,
      'a.htm': `<h1>A</h1><p>${text}</p>`,
      'c.txt': text,
      'B.html': `<h1>C</h1><p>${text}</p>`,
    })
    expect(outputs.map((page) => page.origin.path)).toEqual(['B.html', 'a.htm', 'b/x.md'])
  })

  test.each([
    ['empty-page', {'a.md': '# A\n\n## 功能说明\n\n无\n'}],
    ['empty-page', {'a.html': ''}],
    [
      'table-of-contents',
      {'a.md': `# A\n\n${Array.from({length: 9}, (_, n) => `- [接口的说明第${n}页，共九页](p${n}.md)`).join('\n')}`},
    ],
    [
      'product-not-supported',
      {
        'a.md': `# A\n\n## 产品支持情况\n\n- Ascend 950PR：支持\n- Atlas A2 训练系列产品：不支持\n\n## 功能说明\n\n${text}`,
      },
    ],
    [
      'product-not-supported',
      {
        'a.md': `# A\n\n## 产品支持情况\n\n<!-- npu="950" id1 -->\n- Ascend 950PR：支持\n<!-- end id1 -->\n\n## 功能说明\n\n${text}`,
      },
    ],
    [
      'product-not-supported',
      {
        'a.html': [
          '<h1>A</h1><h4>Product Support</h4><table><tr><th>Product</th><th>Supported</th></tr>',
          `<tr><td>Atlas A2 training products</td><td>x</td></tr></table><h4>Function</h4><p>${text}</p>`,
        ].join(''),
      },
    ],
    ['product-not-supported', {'a.md': `# A\n\n适用于如下型号：\n\n- Ascend 950PR\n\n${text}`}],
    ['product-not-supported', {'SIMT/a.md': `# A\n\n${text}`}],
    ['project-page', {'contributing/a.md': `# A\n\n${text}`}],
    ['encoding-unknown', {'a.md': Uint8Array.from({length: 200}, (_, n) => (n * 37) % 256)}],
  ])('drops a page as %s', async (reason, files) => {
    const {outputs, dropped} = await run(files as Record<string, string | Uint8Array>)
    expect(outputs).toEqual([])
    expect(dropped.map((drop) => drop.reason)).toEqual([reason])
  })

  test('draws pages from all over the folder by the seed, each once', async () => {
    const names = Array.from({length: 40}, (_, index) => `${index < 20 ? 'a' : 'b'}/${index}.md`)
    const root = await folder(Object.fromEntries(names.map((name) => [name, `# ${name}\n\n${text}`])))
    const pathsBy = async (seed: string) => {
      const found = await runStage(documentationPages({order: 'drawn'}), [{root}], {seed})
      return found.outputs.map(({origin}) => origin.path)
    }
    const [one, again, other] = [await pathsBy('1'), await pathsBy('1'), await pathsBy('2')]
    expect(again).toEqual(one)
    expect(other).not.toEqual(one)
    expect([...one].sort()).toEqual([...names].sort())
    expect(new Set(one.slice(0, 12).map((path) => path[0]))).toEqual(new Set(['a', 'b']))
  })

  test('does not take Atlas 200I/500 A2 for Atlas A2', async () => {
    const support =
      '## 产品支持情况\n\n| 产品 | 是否支持 |\n| --- | --- |\n| Atlas 200I/500 A2 推理产品 | √ |\n| Atlas A2 训练系列产品 | x |\n'
    expect(
      (await run({'a.md': `# A\n\n${support}\n## 功能说明\n\n${text}`})).dropped.map((drop) => drop.reason),
    ).toEqual(['product-not-supported'])
  })

  test('says which folder is missing', async () => {
    await expect(runStage(documentationPages(), [{root: '/no/such/folder'}])).rejects.toMatchObject({
      code: 'input-missing',
      scope: 'run',
      fix: expect.stringContaining('path') as string,
    })
  })

  test('refuses a product that it has no names for', () => {
    expect(() => documentationPages({product: '42'})).toThrow(/known: 910b|910b/)
  })
})
