import {describe, expect, test} from 'vitest'
import {lower} from '../../../../pipelines/ascendcraft/lower/lower.ts'
import {agreement} from '../../../helpers/agreement.ts'
import {drawProgram} from '../../../helpers/programs-of-chance.ts'

/** `npm run bench -- ascendcraft-agreement` holds 500 against each other; these are one of each kind, and exact. */
const sample = [0, 2, 3, 5, 6, 7].map((index) => drawProgram('a', index))

describe('interpreter and lowered kernel agree', () => {
  test.each(sample)('$name', async (program) => {
    expect(await agreement(program)).toMatchObject({agrees: true})
  })

  test('and a lowering that goes wrong is seen', async () => {
    const [program] = sample
    const wrong = await agreement(program!, (checked, operator) =>
      lower(checked, {operator}).files.map((file) =>
        file.path.startsWith('op_kernel/') ? {...file, text: file.text.replaceAll(/\bMaxs\(/g, 'Mins(')} : file,
      ),
    )
    expect(wrong).toMatchObject({agrees: false})
  })
})
