import type {Compiler} from '../../eval/executors/toolchain.ts'
import {planned, type Prebuilt} from '../../eval/executors/precompile.ts'
import {twinCache} from './test-cache.ts'

/** The twin as tests share it, built where it is missing. */
export async function prebuilt(compiler: Compiler): Promise<Prebuilt> {
  const twin = await planned(compiler, twinCache)
  await twin.build({})
  return twin
}
