import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, join, resolve} from 'node:path'
import {submissions} from '../../eval/bench/submission/open-submission.ts'
import {findTorch} from '../../eval/bench/submission/python.ts'
import twin, {twinTools} from '../../eval/executors/twin.ts'
import {twinCache} from '../helpers/test-cache.ts'

const oracle = resolve('eval/bench/oracle/runtime')

interface Asked {
  /** A reply to MultiKernelBench in its six strings. */
  reply: string
  /** Name of the task. Default: what follows `model_` in the file's name. */
  task: string | undefined
  /** Interpreter with torch. */
  python: string
  /** Python for `init, inputs`, two lists; torch is there. */
  call: string
  /** Python for what is expected of the inputs `i`. */
  expect: string
}

/**
 * Opens a reply as the benchmark's harness would and calls its model on the CPU twin: once to warm up, then timed, with
 * memory full of NaN and full of zeros.
 */
export async function benchKernelReply({reply, task, python, call, expect}: Asked): Promise<void> {
  const workDirectory = mkdtempSync(join(tmpdir(), 'kernel-reply-'))
  try {
    const where = {cacheDirectory: twinCache, workDirectory}
    const [tools, executor] = [await twinTools(where), await twin(where)]
    const open = await submissions({executor, twin: tools, python: await findTorch(python), ...where})
    const place = mkdtempSync(join(workDirectory, 'call-'))
    const calls = join(place, 'call.json')
    const inOracle = (code: string) => {
      const found = `import sys,torch;sys.path.insert(0,${JSON.stringify(oracle)});import files;${code}`
      return execFileSync(python, ['-c', found], {encoding: 'utf8'}).trim()
    }
    inOracle(`torch.manual_seed(1);init,inputs=${call};files.write_call('${calls}',init,inputs)`)
    const stem = task ?? basename(reply).replace(/^.*model_|\.py$/g, '')
    let since = performance.now()
    const opened = await open({name: stem, stem}, readFileSync(reply, 'utf8'))
    console.log(`opened in ${Math.round(performance.now() - since)} ms`)
    if (!opened.ok) throw new Error(`${opened.kind}: ${opened.why}\n${opened.log}`)
    since = performance.now()
    const asked = (['nan', 'zero'] as const).map((poison) => ({
      call: calls,
      seed: 1024,
      poison,
      order: 'forward' as const,
    }))
    const runs = await opened.submission.run(asked)
    console.log(`${runs.length} calls in ${Math.round(performance.now() - since)} ms`)
    for (const run of runs) {
      if (run.outcome !== 'ran') throw new Error(`${run.kind}: ${run.why}`)
      const compare = `i=files.read_inputs('${calls}');o=files.read_outputs('${run.outputs}')['outputs'];e=${expect}`
      const told = `print(tuple(o.shape),float((o-e).abs().max()),torch.allclose(o,e,1e-4,1e-4))`
      console.log(inOracle(`${compare};${told}`))
    }
    await opened.submission.dispose()
  } finally {
    rmSync(workDirectory, {recursive: true, force: true})
  }
}
