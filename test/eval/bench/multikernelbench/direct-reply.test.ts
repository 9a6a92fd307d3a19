import {describe, expect, test} from 'vitest'
import {directReply} from '../../../../eval/bench/submission/direct-reply.ts'
import {doublingReply} from '../../../helpers/direct-reply.ts'

const read = (reply: string) => {
  const found = directReply(reply)
  if (!found || 'fault' in found) throw new Error(JSON.stringify(found))
  return found
}
const faultOf = (reply: string) => {
  const found = directReply(reply)
  return found && 'fault' in found ? found.fault : found
}

describe('a reply in the language of direct launches', () => {
  test('says by its texts what is kernel, binding and model', () => {
    expect(read(doublingReply())).toMatchObject({
      kernels: ['kernel/double_kernel.cpp'],
      bindings: ['kernel/pybind11.cpp'],
      include: ['.', 'kernel'],
      module: 'doubling',
      model: {path: 'ModelNew.py', class: 'ModelNew'},
    })
  })

  test('may say so itself', () => {
    const build = {
      module_name: 'mine',
      kernel_sources: ['a.cpp'],
      binding_sources: ['kernel/pybind11.cpp'],
      include_dirs: ['headers'],
    }
    const more = [{path: 'a.cpp', content: ''}]
    const said = {build, entry: {model: 'ModelNew.py::Other'}}
    expect(read(doublingReply({said, more}))).toMatchObject({
      kernels: ['a.cpp'],
      bindings: ['kernel/pybind11.cpp'],
      include: ['headers'],
      module: 'mine',
      model: {class: 'Other'},
    })
  })

  test.each([
    ['as it is', (json: string) => json],
    ['in a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence without a language', (json: string) => `\n\`\`\`\n${json}\`\`\`\nIt doubles.`],
    ['behind the name of its language', (json: string) => `json\n${json}`],
  ])('is taken %s', (_, put) => {
    expect(read(put(doublingReply())).module).toBe('doubling')
  })

  test('with words in front of the fence is none that the benchmark takes', () => {
    expect(faultOf(`Here it is:\n\`\`\`json\n${doublingReply()}\n\`\`\``)).toContain('JSON stands among other text')
  })

  test.each([
    ['a path above its folder', {more: [{path: '../a.h', content: ''}]}, 'the path ../a.h leaves'],
    ['an absolute path', {more: [{path: '/a.h', content: ''}]}, 'the path /a.h leaves'],
    ['a path twice', {more: [{path: './ModelNew.py', content: ''}]}, 'two sources are named ModelNew.py'],
    ['another entry', {said: {entry: {model: 'Model.py::ModelNew'}}}, 'Model.py is not among the sources'],
    ['an entry without a class', {said: {entry: {model: 'ModelNew.py'}}}, 'path.py::Class was expected'],
    ['a kernel that is not there', {said: {build: {kernel_sources: ['b.cpp']}}}, 'b.cpp is not among the sources'],
    ['a module in the place of torch', {said: {build: {module_name: 'torch'}}}, 'torch is no name for a module'],
    ['sources that are no texts', {more: [{path: 'a.h', content: 3}] as never}, 'expected string'],
  ])('%s', (_, edits, fault) => {
    expect(faultOf(doublingReply(edits))).toContain(fault)
  })

  test('has a binding where a file is named like one', () => {
    const edits = {'kernel/pybind11.cpp': ['PYBIND11_MODULE', 'MODULE'] as const}
    expect(read(doublingReply({edits}))).toMatchObject({bindings: ['kernel/pybind11.cpp'], module: 'benchmark_ops'})
  })

  test('without a binding or without a kernel is none', () => {
    const sources = [{path: 'ModelNew.py', content: ''}]
    expect(faultOf(JSON.stringify({sources}))).toContain('no source has PYBIND11_MODULE')
    const alone = [...sources, {path: 'b.cpp', content: 'PYBIND11_MODULE(a, m) {}'}]
    expect(faultOf(JSON.stringify({sources: alone}))).toContain('no source is left for kernels')
  })

  test.each(['project_json_src = "a"', '```python\nkernel_src = "a"\n```', '{"a": 1}', '[1]', 'null', ''])(
    'is not %j',
    (reply) => {
      expect(directReply(reply)).toBeUndefined()
    },
  )
})
