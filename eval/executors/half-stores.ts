/** `p[i] = x` and `*p = x` through pointers into GM and UB to what may be half: the twin's class there (ub_array.h). */
export function storesOfHalf(text: string): string {
  const pointers = [...text.matchAll(pointerName), ...text.matchAll(castPointer)].map(({groups = {}}) => groups)
  const names = pointers.flatMap(({type = '', name = ''}) => (builtinType.test(type) ? [] : name))
  if (names.length === 0) return text
  const name = `(${[...new Set(names)].join('|')})`
  const index = String.raw`\s*\[(?:[^\][;]|\[[^\][;]*\])*\]`
  const assigns = String.raw`\s*[-+*/]?=(?!=)`
  return text
    .replace(new RegExp(String.raw`(?<![\w.>:*&]\s*)\b${name}(?=${index}${assigns})`, 'g'), 'twin::Placed($1)')
    .replace(new RegExp(String.raw`(?<=[;{})]\s*\*\s*)\b${name}(?=${assigns})`, 'g'), 'twin::Placed($1)')
}

/** `__gm__ T* name`. */
const pointerName =
  /__(?:gm|ubuf)__\s+(?:volatile\s+)?(?<type>\w[\w:]*)\s*\*\s*(?:__restrict(?:__)?\s+|const\s+)?(?<name>\w+)/g
/** `auto name = (__gm__ T*)…`. */
const castPointer = /\bauto\s*\*?\s*(?<name>\w+)\s*=[^;=]{0,40}__(?:gm|ubuf)__\s+(?<type>\w[\w:]*)\s*\*/g
const builtinType = /^(?:u?int\d*(?:_t)?|float|double|bool|char|void|const|unsigned|signed|long|short)$/
