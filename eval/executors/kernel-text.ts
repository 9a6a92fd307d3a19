/**
 * Kernel text made acceptable to a C++ compiler, with all positions preserved: launches `name<<<…>>>(…);`, which public
 * sources put in a host-only wrapper behind the kernel, and the `[aicore]` attribute become blanks. `value ASSERT(…);`
 * gets a semicolon for its blank: ASSERT is empty on the device, so real kernels have one after an expression.
 */
export function plainKernelText(text: string): string {
  const blanks = (piece: string) => piece.replace(/[^\n;]/g, ' ')
  const plain = plainDeviceText(text.replace(launchStatement, blanks))
  // On the device these declarations leave no code, so real headers with them lack guards and come twice.
  return /^[ \t]*ASCENDC_TPL_ARGS_DECL\b/m.test(text) ? `${plain}\n#pragma once\n` : plain
}

/** The same for a text whose launches were already replaced. */
export function plainDeviceText(text: string): string {
  return (
    text
      // As long as the text that it replaces, and a separate word after `__forceinline__`.
      .replace(/\[(?:host, *)?aicore\]/g, (words) => ' TWIN_D '.padEnd(words.length))
      // One word, so that it can be a macro (device_words.h).
      .replace(/\blong(?=\s+double\b)/g, '    ')
      .replace(compilerBarrier, (words) => words.replace(/[^\n;]/g, ' '))
      .replace(processorMark, (name) => `X${name.slice(1)}`)
      .replace(globalInGm, '$1__aicore__ ')
      .replace(assertBehindValue, '$1;ASSERT(')
      .replace(arrayInUb, readArrays)
      .replace(/^[^]*$/, storesOfHalf)
  )
}

const launchStatement = /\b\w+\s*(?:<[^<>;]*>)?\s*<<<[^;]*?>>>\s*\([^;]*?\)\s*;/g

/** Not an instruction: the compiler keeps accesses from moving past it. */
const compilerBarrier =
  /\b(?:__asm__|__asm|asm)\s+(?:(?:__volatile__|volatile)\s*)?\(\s*""\s*(?:(?::\s*){0,3}(?:"memory"\s*)?)\)\s*;/g

/** Macros of this machine's processor. The device compiler defines none, so a kernel must not find them defined. */
const processorMark = /\b__(?:x86_64|amd64|aarch64|k8|MMX|SSE\d?|SSE2?_MATH|ELF|code_model_\w+?)(?:__)?\b/g

/** The device compiler recognises a device variable by its memory space alone. */
const globalInGm = /^([ \t]*(?:(?:static|inline|volatile|const)\s+)*)(?=__gm__\s+[\w:<>, \t]+(?:\[[^\]]*\]\s*)?[=;{])/gm

const assertBehindValue = /(\b(?!else\b|do\b|return\b)\w+(?:\s*\n)?[ \t]*)[ \t]ASSERT\(/g

/** `x[64]`. */
const sizedName = String.raw`\w+(?:\[[^\][;{}]*\])+`

/** `__ubuf__ float x[64], y[64];` as a statement. Its start is checked, so that no parameter is mistaken for one. */
const arrayInUb = new RegExp(
  [
    String.raw`(?<=[;{}\n]\s{0,200})__ubuf__[ \t]+((?:const[ \t]+)?[\w:]+)[ \t]+`,
    String.raw`(${sizedName}(?:[ \t]*,[ \t]*${sizedName})*)[ \t]*;`,
  ].join(''),
  'g',
)

/** The twin's class for each: no host compiler places a variable in a separate memory. */
function readArrays(_: string, type: string, names: string): string {
  return [...names.matchAll(/(\w+)[ \t]*((?:\[[^\][]*\])+)/g)]
    .map(([, name, lengths]) => `twin::UbArray<${type}${lengths}> ${name};`)
    .join(' ')
}

/** `p[i] = x` and `*p = x` through pointers into GM and UB to what may be half: the twin's class there (ub_array.h). */
function storesOfHalf(text: string): string {
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
