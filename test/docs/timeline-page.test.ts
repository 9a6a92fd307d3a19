import {cpSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {main} from '../../pipelines/cli.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {testCache} from '../helpers/test-cache.ts'
import {recordedWorld} from '../helpers/world.ts'

const kernel = 'op_kernel/elu.cpp'

/** The three kernels of docs/guides/optimisation.md: the bundled one, and two changes that the page names. */
const changes: Record<string, [from: string, to: string]> = {
  single: ['BUFFER_NUM = 2', 'BUFFER_NUM = 1'],
  barrier: ['CopyOut(start, count);', 'CopyOut(start, count); PipeBarrier<PIPE_ALL>();'],
  double: ['', ''],
}

test('the picture of the guide is what its command draws', async () => {
  const folder = await temporaryFolder()
  for (const [name, [from, to]] of Object.entries(changes)) {
    cpSync('sources/starter/operators/elu', join(folder, name), {recursive: true})
    const text = readFileSync(join(folder, name, kernel), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(folder, name, kernel), text.replace(from, to))
  }
  const world = recordedWorld({ASCEND_COT_CACHE: testCache})
  const projects = Object.keys(changes).flatMap((name) => ['--project', join(folder, name)])
  const [svg, out] = [join(folder, 'timeline.svg'), join(folder, 'runs')]
  const code = await main(['timeline', 'Elu', ...projects, '--svg', svg, '--width', '640', '--out', out], world)
  expect(code, world.said.join('\n')).toBe(0)
  await expect(readFileSync(svg, 'utf8')).toMatchFileSnapshot('../../docs/timeline.svg')
})
