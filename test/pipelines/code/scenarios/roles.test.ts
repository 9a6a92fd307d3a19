import {describe, expect, test} from 'vitest'
import type {OpParameter} from '../../../../cpp/op-def.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {outputRolesOf, reductions, rolesOf, type Given, type Shape} from '../../../../pipelines/code/scenarios/roles.ts'

const about: Shape = [2, 3, 6]

/** A role by what it makes of a call about a tensor of [2, 3, 6]: its shape, then values or range where they matter. */
function seen(role: Given): string {
  if (role === 'absent') return role
  const shape = JSON.stringify(role.shape(about))
  const values = role.values ? ` = ${role.values(about).join(' ')}` : ''
  return `${shape}${values}${role.range ? ` in ${role.range.join('…')}` : ''}`
}

interface Asked {
  position?: number
  dtype?: Dtype
  operator?: string
  kind?: OpParameter['kind']
  hostValue?: OpParameter['hostValue']
}

function roles(name: string, asked: Asked = {}): string[] {
  const {position = 1, dtype = 'float32', operator = 'Op', kind = 'required', hostValue} = asked
  return rolesOf({name, kind, dtypes: [], ...(hostValue && {hostValue})}, position, dtype, operator).map(seen)
}

const [same, lastAxis, one, column, half, square] = ['[2,3,6]', '[6]', '[1]', '[2,3,1]', '[2,3,3]', '[2,6,6]']
const [rows, channels, first, scalar, block] = ['[2,3]', '[3]', '[2]', '[]', '[1,6]']
const usual = [same, lastAxis, one, column, half, square]
const positive = [column, rows, channels, same].map((shape) => `${shape} in 0.25…4`)
const perRow = [lastAxis, same, channels, one, block]
const places = [`${first} in 0…3`, `${same} in 0…3`, '[8] in 0…3', '[8,1] in 0…3']
const whole: Asked = {dtype: 'int32'}
const axis = ['[1] = 2', '[1] = 0']

describe('an input may be, the likeliest first', () => {
  test.each<[name: string, asked: Asked, expected: string[]]>([
    ['x', {position: 0}, [same]],
    ['x', {}, usual],
    ['x', {kind: 'optional'}, ['absent', ...usual]],
    ['x', {kind: 'dynamic'}, usual],
    ['axis', whole, axis],
    ['Axes', whole, axis],
    ['axis', {dtype: 'float32'}, usual],
    ['axis', {dtype: 'bool'}, usual],
    ['perm', whole, ['[3] = 2 1 0']],
    ['multiples', whole, ['[3] = 2 1 1', '[3] = 1 1 1']],
    ['strides', whole, ['[3] = 1 1 1']],
    ['begin', whole, ['[3] = 0 0 0', '[1] = 0']],
    ['paddings', whole, ['[3,2] = 1 1 1 1 1 1']],
    ['output_size', whole, ['[3] = 2 3 6', lastAxis, one]],
    ['scalars', {}, [first, one]],
    ['any', {hostValue: 'scalar-list'}, [first, one]],
    ['any', {hostValue: 'scalar'}, [one, scalar, same]],
    ['beta1_power', {}, [one, scalar, same]],
    ['lr', {}, [one, scalar, same]],
    ['any', {...whole, hostValue: 'depends'}, ['[1] = 2', '[3] = 2 3 6', '[3] = 1 1 1', '[3] = 0 0 0']],
    ['any', {hostValue: 'depends'}, usual],
    ['indices', whole, places],
    ['indices', {}, usual],
    ['other', whole, usual],
    ['indices', {...whole, position: 0}, places],
    ['x2', {operator: 'BatchMatMul'}, [square, lastAxis, same]],
    ['x2', {operator: 'mat_mul'}, [square, lastAxis, same]],
    ['x2', {operator: 'BatchMatMul', position: 2}, usual],
    ['x1', {operator: 'Linear', position: 0}, [same]],
    ['mean', {}, positive],
    ['save_any', {}, positive],
    ['gamma', {}, perRow],
    ['w1', {}, perRow],
    ['attn_mask', {}, [same, lastAxis, one]],
  ])('%s %j', (name, asked, expected) => expect(roles(name, asked)).toEqual(expected))
})

test('an output has the shape of the call, or what statistics have', () => {
  expect(outputRolesOf('y').map(seen)).toEqual([same, one, column, rows])
  expect(outputRolesOf('Mean').map(seen)).toEqual([column, same, channels])
})

test('what was written is told as the first shape with as many elements', () => {
  expect(reductions.map(seen)).toEqual(
    [column, rows, half, lastAxis, channels, first, square].concat(['[1,3,6]', '[2,3,1]', one]),
  )
})

test('a call about one axis or a single number has shapes too', () => {
  const shapes = (base: Shape) => reductions.map((role) => JSON.stringify(role.shape(base)))
  expect(shapes([5])).toEqual(['[1]', '[1]', '[2]', '[5]', '[5]', '[5]', '[5,5]', '[1]', '[5,1]', '[1]'])
  expect(shapes([])).toEqual(['[1]', '[1]', '[1]', '[1]', '[1]', '[1]', '[1,1]', '[1]', '[1,1]', '[1]'])
  expect(shapes([4, 1]).slice(0, 3)).toEqual(['[4,1]', '[4]', '[4,1]'])
})
