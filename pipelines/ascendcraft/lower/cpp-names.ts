const words = [
  'alignas alignof and asm auto bool break case catch char class const constexpr continue default delete do',
  'double else',
  'enum explicit export extern false final float for friend goto if inline int long mutable namespace new noexcept not',
  'nullptr operator or override private protected public register return short signed sizeof static struct switch',
  'template this throw true try typedef typeid typename union unsigned using virtual void volatile while xor',
  // Types, functions and macros of the device and of the host's headers.
  'half sqrt abs exp log min max pow tiling workspace context platform event pipe op tilingData copyParams padParams',
]
const reserved = new Set(words.flatMap((line) => line.split(' ')))

/** `row_max` → `rowMax`. */
export function camelCase(name: string): string {
  const parts = name.split('_').filter((part) => part !== '')
  const joined = parts.map((part, at) => (at === 0 ? lowerFirst(part) : upperFirst(part))).join('')
  return /^[a-z]/i.test(joined) ? joined : `value${joined}`
}

/** `row_max` → `RowMax`. */
export function pascalCase(name: string): string {
  return upperFirst(camelCase(name))
}

/** `x_ub` → `x`, `x_ptr` → `x`: what the name says beyond where it points. */
export function bareName(name: string): string {
  const bare = name.replace(/_(?:ub|buf|buffer|local|tensor|ptr|gm)$/, '')
  return bare === '' ? name : bare
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Names in capitals are not split letter by letter: `EPS` → `eps`. */
function lowerFirst(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.charAt(0).toLowerCase() + text.slice(1)
}

/** Gives each thing of a scope a C++ name that nothing else there has. */
export class Names {
  private readonly taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set([...reserved, ...taken])
  }

  /** `wanted`, or with a word behind it that tells it from what has that name; then with a number. */
  give(wanted: string, other = 'Value'): string {
    let name = wanted
    if (this.taken.has(name)) name = `${wanted}${other}`
    for (let count = 2; this.taken.has(name); count += 1) name = `${wanted}${count}`
    this.taken.add(name)
    return name
  }
}
