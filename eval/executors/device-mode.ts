import {runCommand} from '../../engine/subprocess.ts'
import {properCall} from './compiler-proper.ts'
import type {Compiler} from './toolchain.ts'

// Kernels are device code. clang compiles them in its CUDA mode for the processor of this machine: functions without
// `__aicore__`, mutable globals and exceptions are refused as the device compiler refuses them. Its SYCL mode on top
// refuses casts from one memory to another, and types that the target lacks; the target is one without an operating
// system, so that no macro reveals one.

/** Without errno a square root is one instruction, as it is on the device, and no call of the C library. */
const driverFlags = ['-fno-exceptions', '-fno-rtti', '-fno-math-errno']

const properFlags = [
  '-fcuda-is-device',
  '-fsycl-is-device',
  '-fcuda-allow-variadic-functions',
  // What the driver defines for Linux; the C library's headers omit functions without it.
  '-D_GNU_SOURCE',
  // A section for each function, and a list of frame sizes, without frames of variable size.
  '-ffunction-sections',
  '-fstack-size-section',
  // Reports which instructions the fast code generator left to the slow one; `device-rules.ts` reads it.
  '-Rpass-missed=sdagisel',
  // A device's stack has leftovers of earlier code; here every run reads the same value, neither zero nor a number.
  '-ftrivial-auto-var-init=pattern',
]

/** All options of a device compilation. */
export const deviceFlags = [...driverFlags, ...properFlags]

/** Prefix of the arguments of every device compilation; undefined when the compiler has no such mode. */
export async function deviceCompiler(compiler: Compiler): Promise<readonly string[] | undefined> {
  const proper = await properCall(compiler, driverFlags)
  const call = proper && deviceCall(proper)
  if (!call) return undefined
  const [command = '', ...args] = call
  const probe = ['-x', 'cuda', '-fsyntax-only', '/dev/null']
  const works = await runCommand(command, [...args, ...probe], {timeoutSeconds: 20})
  return works.code === 0 ? call : undefined
}

/** The call of the compiler proper for a device; undefined when it names no target. */
function deviceCall(proper: readonly string[]): string[] | undefined {
  const triple = proper.indexOf('-triple') + 1
  if (triple === 0) return undefined
  const kept = [...proper]
  kept[triple] = (kept[triple] ?? '').replace(/^([^-]+)-.*$/, '$1-unknown-none-elf')
  return [...kept, ...properFlags]
}
