import {familyOf} from '../../../cpp/interfaces.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {placesOf, siteMutation, type Mutation} from '../../../pipelines/preference/mutations/mutation.ts'

/**
 * A step computed in half: the 13 bits of a float's mantissa that half lacks are cut off. Does not compile for other
 * types.
 */
export const halfPrecision = siteMutation('half-precision', 'op_kernel', (source) =>
  source.calls
    .filter(
      ({name, statement, args}) => (name === 'op' || familyOf(name) === 'elementwise') && statement && args.length >= 3,
    )
    .flatMap(({name, statement, args}) => {
      const to = args[0]?.text ?? ''
      const count = args.at(-1)?.text ?? ''
      if (!statement || !/^[\w.[\]*+ ]+$/.test(to) || !/^\w+$/.test(count) || (name === 'op' && args.length > 4))
        return []
      const cut = ['ShiftRight', 'ShiftLeft']
        .map(
          (shift) =>
            `AscendC::${shift}(${to}.template ReinterpretCast<uint32_t>(), ${to}.template ReinterpretCast<uint32_t>(), (uint32_t)13, (int32_t)${count});`,
        )
        .join(' AscendC::PipeBarrier<PIPE_V>(); ')
      const floats = `static_assert(std::is_same<decltype((${to}).GetValue(0)), float>::value, "a step of floats");`
      return [
        {
          start: statement.end,
          end: statement.end,
          replacement: ` ${floats} AscendC::PipeBarrier<PIPE_V>(); ${cut} AscendC::PipeBarrier<PIPE_V>();`,
          says: `${to} keeps the precision of half after ${name}`,
        },
      ]
    }),
)

/**
 * A value of the tiling replaced by what it is in the first of two runs, which is right for that shape alone. Undefined
 * when the runs have the same tiling.
 */
export function bakedInShape([first, second]: readonly RunTrace[]): Mutation | undefined {
  if (!first || !second) return undefined
  const differing = Object.entries(first.tiling).filter(
    ([name, value]) => typeof value === 'number' && Number.isInteger(value) && second.tiling[name] !== value,
  )
  if (differing.length === 0) return undefined
  const values = new Map(differing)
  return siteMutation('baked-in-shape', 'op_kernel', (source) =>
    placesOf(
      source,
      ['$tiling.$field', '$tiling->$field'],
      ({hole, to}) => {
        const value = String(values.get(hole('field')))
        const isOther = ['(', '[', '='].includes(source.tokens[to]?.text ?? '')
        return isOther ? undefined : {replacement: value, says: `${hole('field')} is always ${value}`}
      },
      {tiling: (name) => name.toLowerCase().includes('tiling'), field: (name) => values.get(name) !== undefined},
    ),
  )
}
