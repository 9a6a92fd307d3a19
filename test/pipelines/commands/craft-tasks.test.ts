import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {findTorch} from '../../../eval/bench/submission/python.ts'
import {main} from '../../../pipelines/cli.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {chatServer} from '../../helpers/teacher.ts'
import {recordedWorld} from '../../helpers/world.ts'

const model = ['--set', 'teachers.craft={"model":"m","baseUrl":"http://127.0.0.1:9"}']
const checkout = ['--root', 'test/fixtures/multikernelbench']

test.each([
  ['a folder that is no checkout', ['--root', 'test'], 'or MultiKernelBench that matches *'],
  ['a glob that matches nothing', [...checkout, '--tasks', 'loss/*'], 'matches loss/*'],
  ['an unknown part', [...checkout, '--without', 'dsl,comments'], '--without dsl,comments'],
  ['an unknown way of lowering', [...checkout, '--lowering', 'hand'], '--lowering hand'],
  ['a configuration without a model', checkout, 'No model is configured as craft'],
  ['a module that is not there', ['--root', 'test/none.py'], 'There is no module test/none.py'],
  ['a Python that is none', [...checkout, ...model, '--python', '/no/such/python'], '/no/such/python'],
])('%s is refused before anything is prepared, and nothing is written', async (_, flags, expected) => {
  const [world, out] = [recordedWorld(), await temporaryFolder()]
  const code = await main(['craft', '--out', out, '--set', `cache=${out}/cache`, ...flags], world)
  // What was said is wrong, or something is missing.
  expect([1, 2]).toContain(code)
  expect(world.said.join('\n')).toContain(expected)
  expect(readdirSync(out)).toEqual([])
})

const python = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const torch = await findTorch(python).catch(() => undefined)

/** y = 2 x, and a program for it, or for another factor. */
const doubling = `import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2

rows = 512

def get_inputs():
    return [torch.rand(rows, 24)]
`
const programOf = (factor: string) => `import tile.language as tl

@ascend_kernel
def doubled_kernel(x_ptr, y_ptr, total, per_core, tile):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            tl.muls(y_ub, x_ub, ${factor}, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)

def doubled_host(x: tl.tensor(tl.float32), y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]])):
    total = x.numel()
    # Core Partitioning: equal runs of whole blocks.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: two buffers twice, 128 KiB of UB.
    tile = 8192
    doubled_kernel[n_cores](x, y, total, per_core, tile)
`

// Needs a Python with torch.
test.skipIf(!torch)(
  'a model writes for a module by itself, and its program stands in a folder to go on with',
  async () => {
    const folder = await temporaryFolder()
    const module = join(folder, 'doubled.py')
    writeFileSync(module, doubling)
    const said: string[] = []
    const server = await chatServer([], {
      reply: ({messages}) => {
        said.push(messages.at(-1)!.content as string)
        return {reasoning: '', content: `\`\`\`python\n${programOf(said.length === 1 ? '3.0' : '2.0')}\`\`\`\n`}
      },
    })
    const [world, out] = [recordedWorld(), join(folder, 'runs')]
    const teacher = `teachers.craft={"model":"m","baseUrl":"${server.url}"}`
    const usual = ['--out', out, '--python', python]
    expect(await main(['craft', '--root', module, ...usual, '--set', teacher, '--json'], world)).toBe(0)
    expect(said).toHaveLength(2)
    expect(said[1]).toMatch(/y/)
    const {folders} = JSON.parse(world.printed.at(-1)!) as {folders: string[]}
    expect(folders).toHaveLength(1)
    world.printed.length = 0
    expect(await main(['craft', folders[0]!, ...usual, '--json'], world)).toBe(0)
    expect(JSON.parse(world.printed.at(-1)!)).toMatchObject({isRight: true})
  },
  300_000,
)

test.skipIf(!torch)(
  '`craft new --module` writes its calls, and a wrong program is told by element',
  async () => {
    const folder = await temporaryFolder()
    const [module, made] = [join(folder, 'doubled.py'), join(folder, 'made')]
    writeFileSync(module, doubling)
    const world = recordedWorld()
    const usual = ['--out', join(folder, 'runs'), '--python', python]
    expect(await main(['craft', 'new', made, '--module', module, ...usual], world)).toBe(0)
    expect(readFileSync(join(made, 'program.py'), 'utf8')).toMatch(/^# .*\n# {3}x: float32\[512, 24\]\n/)
    writeFileSync(join(made, 'program.py'), programOf('2.5'))
    expect(await main(['craft', made, ...usual], world)).toBe(1)
    expect(world.printed.join('\n')).toMatch(
      /interpreter wrong in \d of \d cases[^]*first at y\[\d+\]: [\d.]+, expected [\d.]+/,
    )
  },
  300_000,
)

// Needs a Python with torch.
describe.skipIf(!torch)('a module as it may be', () => {
  const body = (forward: string, inputs: string, init = '') => `import torch

class Model(torch.nn.Module):${init}
    def forward(self, *given):
        return ${forward}

rows = 64

def get_inputs():
    return [${inputs}]
`
  const loss = 'torch.nn.functional.binary_cross_entropy(given[0], given[1], reduction="none")'
  const weights = `
    def __init__(self):
        super().__init__()
        self.w = torch.ones(3)
`
  const indices = 'torch.rand(rows, 8), 2, torch.randint(0, rows, (rows,))'
  test.each<[string, string, RegExp]>([
    ['with a limited domain', body(loss, 'torch.rand(rows, 8), torch.rand(rows, 8)'), /Next: /],
    ['with indices behind a number', body('given[0][given[2]] * given[1]', indices), /Next: /],
    ['with a tensor without axes', body('given[0] * given[1]', 'torch.rand(rows), torch.tensor(0.5)'), /Next: /],
    ['with sizes that it refuses', body('given[0] * 2', '[torch.rand(rows, 8)][rows % 2]'), /Next: /],
    ['with inputs that follow from values', body('given[0]', 'torch.tensor(torch.rand(rows).tolist())'), /Next: /],
    ['without inputs', 'class Model: pass\n', /does not define get_inputs/],
    ['that cannot be read', 'class Model(:\n', /SyntaxError/],
    ['with weights that it does not state', body('given[0]', 'torch.rand(rows)', weights), /has weights: w/],
  ])(
    '%s',
    async (_, text, words) => {
      const folder = await temporaryFolder()
      const module = join(folder, 'any.py')
      writeFileSync(module, text)
      const world = recordedWorld()
      const usual = ['--module', module, '--out', join(folder, 'runs'), '--python', python]
      const code = await main(['craft', 'new', join(folder, 'made'), ...usual], world)
      expect(world.said.join('\n')).toMatch(words)
      expect(code === 0).toBe(words.source === 'Next: ')
    },
    120_000,
  )
})
