import {describe, expect, test} from 'vitest'
import {parsePythonLiteral} from '../../../eval/tasks/python-literal.ts'

describe('parsePythonLiteral', () => {
  test.each([
    ['[48, 128, 512]', [48, 128, 512]],
    ['[[1], [15], [512, 3]]', [[1], [15], [512, 3]]],
    ['[]', []],
    ['[1, 2,]', [1, 2]],
    ['(8, 2048)', [8, 2048]],
    ['(3,)', [3]],
    ['(3)', 3],
    ['()', []],
    ['None', null],
    ['True', true],
    ['false', false],
    ['1e-5', 1e-5],
    ['-.5', -0.5],
    ['1_000', 1000],
    [`['float16', "int32"]`, ['float16', 'int32']],
    [`'it\\'s'`, "it's"],
    [' [ (1, None) , True ] ', [[1, null], true]],
  ])('reads %s', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value)
  })

  test.each([
    '[1, 2',
    '[,]',
    '[1 2]',
    '(1',
    "'open",
    'torch.float16',
    '',
    '1 2',
    '{1: 2}',
    '__import__("os")',
    'constructor',
  ])('refuses %s', (text) => {
    expect(() => parsePythonLiteral(text)).toThrow(SyntaxError)
  })

  test('says at which column it stopped and what it expected', () => {
    expect(() => parsePythonLiteral('[1, 2')).toThrow(`column 6: saw the end, expected ',' or ']'`)
  })
})
