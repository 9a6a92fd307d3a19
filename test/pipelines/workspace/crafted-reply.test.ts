import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import type {Crafted} from '../../../datasets/schema/crafted.ts'
import {craftedReply} from '../../../pipelines/workspace/crafted-reply.ts'

const solution = (name: string) => readFileSync(`pipelines/ascendcraft/library/solutions/${name}.py`, 'utf8')

function crafted(name: string, program: string | undefined, files = [{path: 'op_host/x.cpp', text: 'x'}]): Crafted {
  return {
    task: {name, operator: 'X', category: 'c', reference: 'r', shapes: 's'},
    setting: {rounds: 1, lowering: 'compiler', without: []},
    model: 'm',
    state: 'correct',
    ...(program !== undefined && {program}),
    files,
    rounds: [{step: 'program', round: 1, reply: '', reasoning: '', promptTokens: 0, completionTokens: 0}],
  }
}

const modelOf = (reply: string | undefined) => /model_src = r'''\n([\s\S]*?)'''/.exec(reply ?? '')?.[1]

test('what a constructor is given, the model keeps and hands over as an attribute', () => {
  const reply = craftedReply(crafted('leaky_relu', solution('activation/leaky_relu')), {
    made: ['negative_slope=0.01'],
    called: ['x'],
  })
  expect(modelOf(reply)).toBe(`import torch
import custom_ops_lib


class ModelNew(torch.nn.Module):
    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x):
        return custom_ops_lib.leaky_relu_custom(x, self.negative_slope)
`)
})

test('what forward is given goes on, and what nobody gives is a constant', () => {
  const adam = craftedReply(crafted('adam', solution('optimizer/adam')), {
    made: ['beta1=0.9'],
    called: ['param', 'grad', 'm', 'v', 'lr'],
  })
  expect(modelOf(adam)).toContain('self.beta1 = beta1\n        self.beta2 = 0.999\n        self.eps = 1e-8\n')
  expect(modelOf(adam)).toContain('adam_custom(param, grad, m, v, self.beta1, self.beta2, lr, self.eps, self.step)')
})

test.each([
  ['nothing is correct', crafted('relu', solution('activation/relu'), [])],
  ['a model wrote Ascend C by itself', crafted('relu', undefined)],
  ['the program is none', crafted('relu', 'x = 1\n')],
])('there is no reply where %s', (_, one) => {
  expect(craftedReply(one, {made: [], called: ['x']})).toBeUndefined()
})
