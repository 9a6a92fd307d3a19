import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {contaminationIndex} from '../../datasets/contamination.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {walk} from '../../engine/files.ts'
import {Config} from '../../pipelines/workspace/config.ts'
import {api, heldOutTexts, idiomTexts} from '../../pipelines/workspace/held-out.ts'

/**
 * Renames the operator in every answer of a benchmark checkout (`AddCustom`, `add_custom`, `ADD_CUSTOM`), asks whether
 * the copy is found, and prints how many are. `innocents` is a checkout of other operators, of which none should be
 * found.
 */
export async function benchContamination(benchmark: string, innocents?: string): Promise<void> {
  const config = Config.parse({sources: {benchmarks: [benchmark]}})
  const index = contaminationIndex(await heldOutTexts(config), await idiomTexts(), new Set(api))
  const tasks = await loadTasks({root: benchmark}, () => [])
  const answers = tasks.flatMap(({name, answer}) =>
    answer.filter(({path}) => path.endsWith('.cpp')).map((file) => ({...file, name})),
  )
  for (const side of ['op_kernel', 'op_host']) {
    const own = answers.filter(({path}) => path.includes(side))
    const passed = own.filter(({name, text}) => index.leak(`\`\`\`cpp\n${renamed(text, name)}\n\`\`\``) === undefined)
    console.log(
      `${side}: ${own.length - passed.length} of ${own.length} renamed answers found; passed: ${passed.map(({name, path}) => `${name}/${path}`).join(', ') || 'none'}`,
    )
  }
  if (innocents === undefined) return
  let files = 0
  const found: string[] = []
  for await (const path of walk(innocents)) {
    if (!/\/op_(?:kernel|host)\/.*\.cpp$/.test(path)) continue
    files += 1
    const leak = index.leak(await readFile(join(innocents, path), 'utf8'), 'code')
    if (leak) found.push(`${path} (${leak.reference}, ${leak.runs} runs)`)
  }
  console.log(`other operators: ${found.length} of ${files} files found\n${found.join('\n')}`)
}

function renamed(text: string, operator: string): string {
  const snake = operator.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return text
    .replaceAll(operator, 'Quixotic')
    .replaceAll(snake, 'quixotic')
    .replaceAll(snake.toUpperCase(), 'QUIXOTIC')
    .replaceAll(operator.toLowerCase(), 'quixotic')
}
