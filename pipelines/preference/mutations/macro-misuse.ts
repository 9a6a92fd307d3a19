import {placesOf, replaced, siteMutation, type Mutation, type Site} from './mutation.ts'
import type {SourceView} from '../../../cpp/source-view.ts'

/** Sites in directives, which the view of the code omits. */
function inText(source: SourceView, pattern: RegExp, replacement: string, says: string): Site[] {
  return [...source.text.matchAll(pattern)].map(({index, 0: whole}) =>
    replaced({start: index, end: index + whole.length}, replacement, says),
  )
}

const tilingArgumentsSwapped = siteMutation('tiling-macro-misused', 'op_kernel', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [data, pointer] = args
    if (name !== 'GET_TILING_DATA' || !data || !pointer) return []
    const whole = {start: data.start, end: pointer.end}
    return [
      replaced(whole, `${pointer.text}, ${data.text}`, 'the arguments of GET_TILING_DATA change places'),
      replaced(whole, pointer.text, 'GET_TILING_DATA with one argument'),
      replaced(whole, `${data.text}, &${pointer.text}`, 'GET_TILING_DATA with the address of its pointer'),
    ]
  }),
)

const keyMisused = siteMutation('tiling-key-macro-misused', 'op_kernel', (source) =>
  placesOf(source, 'TILING_KEY_IS($key)', ({hole}) => ({
    replacement: `TILING_KEY_IS == ${hole('key')}`,
    says: 'TILING_KEY_IS compared as if it were a number',
  })),
)

const missingInclude = siteMutation('wrong-include', 'op_kernel', (source) => [
  ...inText(source, /#include "kernel_operator\.h"/g, '#include "ascendc_kernel.h"', 'a header that does not exist'),
  ...inText(source, /#endif[^\n]*\n?$/g, '', 'the guard of the header is not closed'),
])

const hostMacros = siteMutation('tiling-registration-misused', 'op_host', (source) => [
  ...inText(source, /\bEND_TILING_DATA_DEF;\n/g, '', 'the tiling class is not closed'),
  ...placesOf(source, 'TILING_DATA_FIELD_DEF($type, $name)', ({hole}) => ({
    replacement: `TILING_DATA_FIELD_DEF(${hole('name')}, ${hole('type')})`,
    says: 'type and name of a field of the tiling data change places',
  })),
  ...placesOf(source, 'TILING_DATA_FIELD_DEF($type, $name)', ({hole}) => ({
    replacement: `TILING_DATA_FIELD_DEF(${hole('name')})`,
    says: 'a field of the tiling data without its type',
  })),
  ...placesOf(source, 'REGISTER_TILING_DATA_CLASS($operator, $class)', ({hole}) => ({
    replacement: `REGISTER_TILING_DATA_CLASS(${hole('class')})`,
    says: 'the tiling class is registered without its operator',
  })),
  ...inText(source, /#include "\w+_tiling\.h"/g, '#include "tiling_data.h"', 'a header that does not exist'),
])

const hostSetter = siteMutation('unknown-tiling-setter', 'op_host', (source) =>
  source.calls.flatMap(({name, start}) =>
    name.startsWith('set_')
      ? [replaced({start, end: start + name.length}, `${name}Num`, `the tiling class has no ${name}Num`)]
      : [],
  ),
)

export const macroMutations: readonly Mutation[] = [
  tilingArgumentsSwapped,
  keyMisused,
  missingInclude,
  hostMacros,
  hostSetter,
]
