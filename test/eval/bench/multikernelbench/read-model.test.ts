import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {readModel} from '../../../../eval/bench/multikernelbench/submission/read-reply.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const python = {torch: '0', package: '/nowhere', headers: '/nowhere', folders: [], command: 'python3'}

const brokenBy = async (source: string) =>
  readModel({python, sandbox: 'plain', folder: await temporaryFolder()}, source, 'doubling')

const model = (forward: string, before = '') => `${before}
import torch
import doubling
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x):
        ${forward}
`

test.each([
  ['by paths of pathlib', readFileSync('test/fixtures/direct-replies/ModelNew.py', 'utf8')],
  [
    'by paths of os',
    model(
      'return doubling.run(x, 0)',
      `import os, sys
here = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(here, "build"))`,
    ),
  ],
  ['function by function', model('return run(x)').replace('import doubling', 'from doubling import run')],
])('a model may find its module %s', async (_, source) => {
  expect(await brokenBy(source)).toBeUndefined()
})

const paths = 'import os, sys\nfrom pathlib import Path'

test.each([
  ['computes with torch', model('return torch.relu(x)'), 'uses-a-finished-operator'],
  ['computes with signs', model('return x + x'), 'computes-in-python'],
  [
    'falls back on torch',
    model('try:\n            return doubling.run(x)\n        except RuntimeError:\n            return x'),
    'catches-errors',
  ],
  ['keeps what it gave', model('self.kept = doubling.run(x)\n        return self.kept'), 'keeps-state-between-calls'],
  ['calls the reference', model('return Model()(x)'), 'names-the-reference'],
  ['takes modules from the system', model('return sys.modules["torch"].relu(x)', paths), 'reaches-into-python'],
  ['reads files', model('return Path("a").read_text()', paths), 'call-outside-the-whitelist'],
  [
    'reads files while it finds its module',
    model('return x', `${paths}\nsecret = Path("a").read_text()`),
    'call-outside-the-whitelist',
  ],
  ['runs programs while it finds its module', model('return x', `${paths}\nos.system("a")`), 'code-outside-the-model'],
  ['changes modules', model('return x', `${paths}\nsys.modules["torch"] = 1`), 'writes-outside-the-model'],
  ['loads another module', model('return x', 'import importlib'), 'foreign-import'],
  ['calls the module of six strings', model('return x', 'import custom_ops_lib'), 'foreign-import'],
])('one that %s is refused', async (_, source, rule) => {
  expect(await brokenBy(source)).toHaveProperty('rule', rule)
})

test('what is no Python does not compile', async () => {
  expect(await brokenBy('def')).toHaveProperty('error')
})
