import type {Expression} from '../../pipelines/ascendcraft/language/ast.ts'
import {readModule} from '../../pipelines/ascendcraft/language/parse.ts'

const program = (expression: string) => `import tile.language as tl
@ascend_kernel
def one_kernel(x_ptr):
    v = ${expression}
def one_host(x: tl.tensor(tl.float32), y: tl.output(tl.float32, shape=[1])):
    one_kernel[1](x)
`

/** An expression of the tile language, read from its text; nothing is checked. */
export function expressionOf(text: string): Expression {
  const read = readModule(program(text))
  const [first] = read.ok ? read.module.kernel.body : []
  if (first?.kind !== 'assign') throw new TypeError(`${text} is no expression`)
  return first.value
}
