import {runCommand} from '../../engine/subprocess.ts'
import {languageFlags, quotedParts} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'

// Kernels are device code. clang compiles them in its CUDA mode for the processor of this machine: functions without
// `__aicore__`, mutable globals and exceptions are refused as the device compiler refuses them. Its SYCL mode on top
// refuses casts from one memory to another, and types that the target lacks; the target is one without an operating
// system, so that none shows in macros.

export const deviceFlags = [
  '-fcuda-is-device',
  '-fsycl-is-device',
  '-fcuda-allow-variadic-functions',
  // What the driver defines for Linux; the C library's headers leave out functions without it.
  '-D_GNU_SOURCE',
  // A section for each function, and a list of frame sizes, in which frames of changing size are missing.
  '-ffunction-sections',
  '-fstack-size-section',
  // Says which instructions its quick code generator left to the slow one; `device-rules.ts` reads it.
  '-Rpass-missed=sdagisel',
]

/** Options of a driver's call that name its input, its output or the folder of the moment. */
const withValue = new Set(['-main-file-name', '-o', '-x'])
const ofTheMoment = /^-(?:emit-obj$|f(?:debug|coverage)-compilation-dir=|clear-ast-before-backend$)|^\/dev\/null$/

/**
 * What stands before the arguments of every device compilation; undefined when the compiler has no such mode. The
 * driver is asked once, and then left out: starting it takes as long as compiling a small kernel.
 */
export async function deviceCompiler(compiler: Compiler): Promise<readonly string[] | undefined> {
  if (compiler.kind !== 'clang') return undefined
  const flags = [...languageFlags(compiler), '-fno-exceptions', '-fno-rtti']
  const asked = ['-###', ...flags, '-O0', '-x', 'c++', '-c', '/dev/null', '-o', 'object']
  const {code, stderr} = await runCommand(compiler.command, asked, {timeoutSeconds: 20})
  const call = code === 0 ? deviceCall(quotedParts(stderr)) : undefined
  if (!call) return undefined
  const [command = '', ...args] = call
  const probe = ['-x', 'cuda', '-fsyntax-only', '/dev/null']
  const works = await runCommand(command, [...args, ...probe], {timeoutSeconds: 20})
  return works.code === 0 ? call : undefined
}

/** The driver's call of the compiler proper, as one for a device; undefined when it is none. */
function deviceCall(parts: readonly string[]): string[] | undefined {
  if (parts[1] !== '-cc1') return undefined
  const kept = parts.filter((part, index) => {
    const value = withValue.has(parts[index - 1] ?? '')
    return !value && !withValue.has(part) && !ofTheMoment.test(part)
  })
  const triple = kept.indexOf('-triple') + 1
  if (triple === 0) return undefined
  kept[triple] = (kept[triple] ?? '').replace(/^([^-]+)-.*$/, '$1-unknown-none-elf')
  return [...kept, ...deviceFlags]
}

/** The arguments of a driver's compilation as the compiler proper takes them. */
export function deviceArguments(args: readonly string[]): string[] {
  const translated: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const [arg = '', next = ''] = args.slice(index)
    if (arg === '-c') translated.push('-emit-obj', '-x', 'cuda')
    else if (arg === '-fsyntax-only') translated.push(arg, '-x', 'cuda')
    else if (arg === '-MF') translated.push('-dependency-file', next, '-MT', 'object')
    else if (arg === '-x') translated.push(...(next === 'c++-header' ? ['-emit-pch', '-x', 'cuda'] : [arg, next]))
    else if (arg !== '-MMD') translated.push(arg)
    if (arg === '-MF' || arg === '-x') index += 1
  }
  return translated
}
