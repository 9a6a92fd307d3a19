import {expect, test} from 'vitest'
import {plainStructures, tilingBlocks, tilingRegistrations} from '../../cpp/tiling.ts'

test('fields of a block are told by form, and what is no block is passed over', () => {
  const text = `BEGIN_TILING_DATA_DEF(A)
  TILING_DATA_FIELD_DEF(uint32_t, length);
  TILING_DATA_FIELD_DEF_ARR(float, (2 * N), list);
  TILING_DATA_FIELD_DEF_STRUCT(B, inner);
  TILING_DATA_FIELD_DEF(alone);
END_TILING_DATA_DEF;`
  const [block, ...others] = tilingBlocks(`int before;\n${text}\nBEGIN_TILING_DATA_DEF(Endless)`)
  expect(others).toEqual([])
  expect(block?.text).toBe(text.slice(0, -1))
  expect(block?.fields).toEqual([
    {type: 'uint32_t', name: 'length'},
    {type: 'float', size: '(2 * N)', name: 'list'},
    {type: 'B', name: 'inner'},
  ])
})

test('a registration binds a structure of whatever namespace', () => {
  expect(tilingRegistrations('REGISTER_TILING_DATA_CLASS(Add_1, optiling::A)')).toEqual([
    {text: 'REGISTER_TILING_DATA_CLASS(Add_1, optiling::A)', operator: 'Add_1', structure: 'A'},
  ])
})

test('fields of a plain structure are its own: what its methods declare or return is none', () => {
  const text =
    'struct alignas(8) S { std::size_t a; int b[2] = {1, 2}; half c{0}; int Get() { int d; return b; } bool e; };'
  expect(plainStructures(text)).toEqual([
    {
      name: 'S',
      fields: [
        {type: 'std::size_t', name: 'a'},
        {type: 'int', name: 'b', size: '2'},
        {type: 'half', name: 'c'},
        {type: 'bool', name: 'e'},
      ],
    },
  ])
})
