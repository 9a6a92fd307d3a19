import {runCommand} from '../../engine/subprocess.ts'
import {languageFlags, quotedParts} from './toolchain.ts'
import type {Compiler} from './toolchain.ts'

// clang's driver looks for headers, libraries and GCC installations before it compiles: 14 of the 35 ms that an empty
// file takes. It is asked once for its call of the compiler proper, which is used directly from then on.

/** Options of a driver's call that name its input, its output or the current folder. */
const withValue = new Set(['-main-file-name', '-o', '-x'])
const ofTheMoment = /^-(?:emit-obj$|f(?:debug|coverage)-compilation-dir=|clear-ast-before-backend$)|^\/dev\/null$/

/** Prefix of the arguments of every unoptimised compilation; undefined for a compiler with no such call. */
export async function properCall(compiler: Compiler, flags: readonly string[] = []): Promise<string[] | undefined> {
  if (compiler.kind !== 'clang') return undefined
  const asked = ['-###', ...languageFlags(compiler), ...flags, '-O0', '-x', 'c++', '-c', '/dev/null', '-o', 'object']
  const {code, stderr} = await runCommand(compiler.command, asked, {timeoutSeconds: 20})
  const parts = code === 0 ? quotedParts(stderr) : []
  if (parts[1] !== '-cc1') return undefined
  const kept = parts.slice(1).filter((part, index) => {
    const value = withValue.has(parts[index] ?? '')
    return !value && !withValue.has(part) && !ofTheMoment.test(part)
  })
  // By the requested name, which may be a script around the compiler.
  return [compiler.command, ...kept]
}

/**
 * The arguments of a driver's compilation for the compiler proper. Precompiled headers are not compared with their 400
 * source files: their folder is named after the files' content.
 */
export function properArguments(args: readonly string[], language: 'c++' | 'cuda'): string[] {
  const translated: string[] = []
  for (let index = 0; index < args.length; index += 1) {
    const [arg = '', next = ''] = args.slice(index)
    if (arg === '-c') translated.push('-emit-obj', '-x', language)
    else if (arg === '-fsyntax-only') translated.push(arg, '-x', language)
    else if (arg === '-include-pch') translated.push('-fno-validate-pch', arg, next)
    else if (arg === '-MF') translated.push('-dependency-file', next, '-MT', 'object')
    else if (arg === '-x') translated.push(...(next === 'c++-header' ? ['-emit-pch', '-x', language] : [arg, next]))
    else if (arg !== '-MMD') translated.push(arg)
    if (arg === '-MF' || arg === '-x' || arg === '-include-pch') index += 1
  }
  return translated
}
