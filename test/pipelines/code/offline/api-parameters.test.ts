import {describe, expect, test} from 'vitest'
import {parameterParagraph, tensorRoles} from '../../../../pipelines/code/offline/api-parameters.ts'
import {both, flowOf} from '../../../helpers/told-parts.ts'

const first = (parameters: string, body = 'return 0;', name = 'aclnnFoldGetWorkspaceSize') =>
  flowOf(`aclnnStatus ${name}(${parameters}, uint64_t* size, aclOpExecutor** executor) { ${body} }`)

const x = 'const aclTensor* x'
const y = 'aclTensor* y'

describe('what is read and what is written', () => {
  test.each<[string, string, string, string[], string[]]>([
    ['a constant object is read, another written', `${x}, ${y}`, '', ['x'], ['y']],
    ['numbers and texts are neither', `${x}, int64_t n, const char* mode, ${y}`, '', ['x'], ['y']],
    [
      'lists, scalars and arrays count',
      'const aclTensorList* xs, const aclScalar* s, aclIntArray* to',
      '',
      ['xs', 's'],
      ['to'],
    ],
    ['the last one named as an output is written though constant', `${x}, const aclTensor* out`, '', ['x'], ['out']],
    [
      'and those before it, up to the first other',
      `const aclTensor* yOut, ${x}, const aclTensor* zOut, const aclTensor* lastOutOptional`,
      '',
      ['yOut', 'x'],
      ['zOut', 'lastOutOptional'],
    ],
    ['a name that only holds the word is none', `const aclTensor* outer`, '', ['outer'], []],
    [
      'the profiling macro says it, where it is',
      `${x}, const aclTensor* mask, ${y}`,
      'L2_DFX_PHASE_1(aclnnFold, DFX_IN(x, mask), DFX_OUT(y, mask));',
      ['x', 'mask'],
      ['mask', 'y'],
    ],
    [
      'and then no name does',
      `${x}, const aclTensor* out`,
      'L2_DFX_PHASE_1(aclnnFold, DFX_IN(x, out), DFX_OUT(z));',
      ['x', 'out'],
      [],
    ],
    [
      'what it names as read alone is not written',
      `aclTensor* x, ${y}`,
      'L2_DFX_PHASE_1(aclnnFold, DFX_IN(x), DFX_OUT(y));',
      ['x'],
      ['y'],
    ],
    ['a reference is both', `aclTensor* selfRef, ${x}`, '', ['selfRef', 'x'], ['selfRef']],
    ['so is a constant one', `const aclTensor* selfRef, ${x}`, '', ['selfRef', 'x'], ['selfRef']],
  ])('%s', async (_, parameters, body, inputs, outputs) => {
    expect(tensorRoles(await first(parameters, body))).toEqual([inputs, outputs])
  })

  test('what a method updates in place is both', async () => {
    const flow = await first(`aclTensor* self, ${x}`, 'return 0;', 'aclnnInplaceFoldGetWorkspaceSize')
    expect(tensorRoles(flow)).toEqual([['self', 'x'], ['self']])
  })
})

describe('the paragraph', () => {
  test('says each kind of parameter, in both languages', async () => {
    const plan = await first(`${x}, int64_t n, const char* mode, ${y}`)
    expect(both((voice) => parameterParagraph([plan], voice))).toBe(
      'Parameters of `aclnnFoldGetWorkspaceSize`: to read `x`; to write `y`; by value `n`; as text `mode`.\n' +
        '`aclnnFoldGetWorkspaceSize` 的参数:读取的 `x`;被写的 `y`;按值传入的 `n`;以字符串传入的 `mode`。',
    )
  })

  test('leaves out what there is none of', async () => {
    const said = both((voice) => parameterParagraph([], voice))
    expect(said).toBe('\n')
    const plan = await first(x)
    expect(both((voice) => parameterParagraph([plan], voice))).toMatch(/^Parameters of `\w+`: to read `x`\.\n/)
    const none = await flowOf('aclnnStatus Fold(uint64_t* size) { return 0; }')
    expect(both((voice) => parameterParagraph([none], voice))).toBe('\n')
  })

  test('tells three first phases, not four', async () => {
    const plans = await Promise.all([1, 2, 3, 4].map((at) => first(x, 'return 0;', `Fold${at}`)))
    const said = both((voice) => parameterParagraph(plans, voice))
    expect([1, 2, 3, 4].map((at) => said.includes(`Fold${at}`))).toEqual([true, true, true, false])
  })
})
