import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {documentedPurpose} from '../../../sources/kernels/documented.ts'

const root = mkdtempSync(join(tmpdir(), 'documented-test-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

const page = (text: string) => `# Page\n\n## 功能说明\n\n${text}\n`
const graph = '/** @brief Doubles its input. */\nREG_OP(Twice)\n'

const told = async (files: Readonly<Record<string, string>>) => (await purposeIn(files))?.text

let folders = 0
/** What is told of `Twice` in a folder that holds these files. */
async function purposeIn(files: Readonly<Record<string, string>>) {
  const path = `math/twice_${folders++}`
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path, name)), {recursive: true})
    writeFileSync(join(root, path, name), text)
  }
  const beside = `${path.replace('twice', 'other')}/docs/aclnnTwice.md`
  const paths = Object.keys(files).map((name) => `${path}/${name}`)
  return documentedPurpose('Twice', {root, path, paths: [...paths, beside]})
}

test('the README is asked first, then the page of the interface, then the registration', async () => {
  const all = {'README.md': page('说明一。'), 'docs/aclnnTwice.md': page('说明二。'), 'op_graph/twice_proto.h': graph}
  expect(await told(all)).toBe('说明一。')
  expect(await told({...all, 'README.md': '# Twice\n'})).toBe('说明二。')
  expect(await told({'op_graph/twice_proto.h': graph})).toBe('Doubles its input.')
  expect(await told({'op_host/twice.cpp': ''})).toBeUndefined()
})

test('of several pages the one of the operator is read, and none of others', async () => {
  const other = {'docs/aclnnOther.md': page('别的。'), 'docs/design.md': page('设计。')}
  expect(await told({...other, 'docs/aclnnTwice&aclnnInplaceTwice.md': page('说明。')})).toBe('说明。')
  expect(await told({...other, 'docs/aclnnThird.md': page('第三。')})).toBeUndefined()
})

test('the only page may have another name', async () => {
  expect(await told({'docs/aclnnDouble.md': page('说明。'), 'docs/design.md': page('设计。')})).toBe('说明。')
})

test('limits of parameters come from the README, then from the page of the interface', async () => {
  const limited = (...rows: string[]) =>
    `${page('说明。')}\n## 参数说明\n\n| 参数名 | 输入/输出 | 描述 | 数据类型 | 维度(shape) |\n|-|-|-|-|-|\n${rows.join('\n')}\n`
  const files = {
    'README.md': limited('| x | 输入 | 输入。 | FLOAT | 2-4 |'),
    'docs/aclnnTwice.md': limited(
      ...[
        '| x | 输入 | 输入。 | INT8 | 1 |',
        '| dim | 输入 | 取值范围为[-4, 3]。 | - | - |',
        '| y | 输出 | 输出。 | - | - |',
      ],
    ),
  }
  expect((await purposeIn(files))?.limits).toEqual([
    {name: 'x', dtypes: ['float32'], ranks: [2, 3, 4]},
    {name: 'dim', dtypes: [], ranks: [], range: [-4, 3]},
  ])
  expect((await purposeIn({'README.md': page('说明。')}))?.limits).toBeUndefined()
})
