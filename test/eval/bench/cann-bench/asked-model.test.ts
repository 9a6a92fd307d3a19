import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {findTorch} from '../../../../eval/bench/submission/python.ts'
import {main} from '../../../../pipelines/cli.ts'
import {ownCheckout, scaling} from './own-packages.ts'
import {startChatServer} from '../../../helpers/chat-server.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {recordedWorld} from '../../../helpers/world.ts'

const command = process.env['ASCEND_COT_TEST_PYTHON'] ?? 'python3'
const python = await findTorch(command).catch(() => undefined)

/** As the request shows files: in fences below their paths. */
function fenced(reply: string): string {
  const {sources} = JSON.parse(reply) as {sources: {path: string; content: string}[]}
  return sources.map(({path, content}) => `=== ${path} ===\n\`\`\`cpp\n${content}\`\`\`\n`).join('\n')
}

async function evaluated(samples: readonly string[], ...more: string[]) {
  const server = await startChatServer({
    script: ({body, repeat}) => {
      const content = body.messages.at(-1)?.content.includes('cann_bench.scale`') ? samples[repeat] : undefined
      return {kind: 'words', content: content ?? 'No.'}
    },
  })
  onTestFinished(() => server.close())
  const [world, out] = [recordedWorld(), await temporaryFolder()]
  const teacher = {model: 'kernel-model', baseUrl: server.url, concurrency: 4}
  const flags = ['--root', ownCheckout, '--candidates', 'model', '--samples', String(samples.length)]
  const set = ['--set', `teachers.candidates=${JSON.stringify(teacher)}`]
  const code = await main(['eval', 'cann-bench', ...flags, '--out', out, ...set, '--python', command, ...more], world)
  return {code, out, server, said: world.said.join('\n')}
}

// Needs a Python with torch.
test.skipIf(!python)(
  'a model behind an endpoint is asked for packages, which are judged',
  {timeout: 900_000},
  async () => {
    const calling = scaling({'csrc/other.cpp': 'int Other() { return aclnnMulsGetWorkspaceSize(0, 0); }\n'})
    const samples = [fenced(scaling()), fenced(calling)]
    const {code, out, server, said} = await evaluated(samples, '--tiers', 'sample', '--cases', '1')
    expect(code, said).toBe(0)
    const prompts = server.served.map(({body}) => body.messages.at(-1)?.content ?? '')
    expect(prompts).toHaveLength(6)
    for (const words of ['scale(Tensor x, float factor=2.0', 'Multiplies every element', 'def scale(', '"factor":3'])
      expect(prompts.filter((one) => one.includes(words))).toHaveLength(2)
    expect(prompts.join()).not.toContain('{{')
    const place = join(out, 'evaluate-cann-bench-candidates/score.json')
    const {tables} = JSON.parse(readFileSync(place, 'utf8')) as {tables: {title: string; rows: string[][]}[]}
    const rowsOf = (title: string) => tables.find((one) => one.title === title)?.rows
    expect(rowsOf('By operator')?.filter(([name]) => name === 'level1/Scale')).toEqual([
      ['level1/Scale', '0', '1/1', '1/1', '0', '', ''],
      ['level1/Scale', '1', '–', '–', '–', 'SUB-BEH-003', expect.stringContaining('aclnnMuls') as string],
    ])
    expect(rowsOf('By operator')).toHaveLength(6)
  },
)

test.skipIf(!python)('a mode that it has not is refused with those that it has', async () => {
  const {code, said, server} = await evaluated(['No.'], '--mode', 'aclnn')
  expect(code).not.toBe(0)
  expect(said).toContain('Unknown mode: aclnn.')
  expect(said).toContain('Use direct-launch.')
  expect(server.served).toEqual([])
})

test.skipIf(!python)('without a model there is nobody to ask', async () => {
  const world = recordedWorld()
  expect(await main(['eval', 'cann-bench', '--root', ownCheckout, '--candidates', 'model'], world)).not.toBe(0)
  expect(world.said.join('\n')).toContain('there is no teacher profile "candidates"')
})
