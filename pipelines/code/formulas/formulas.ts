import {activationGradients} from './activation-gradients.ts'
import {activations} from './activations.ts'
import {arithmetic} from './element-arithmetic.ts'
import {foreachs} from './foreach.ts'
import type {Formula, Formulas} from './formula-call.ts'
import {losses} from './losses.ts'
import {norms} from './norms.ts'
import {optimisers} from './optimisers.ts'
import {rearranging} from './rearranging.ts'
import {regions} from './regions.ts'
import {reducing} from './reductions.ts'
import {routing} from './routing.ts'
import {shapes} from './shapes.ts'

/** By operator; names that end in a version, `V2`, are read without it where they have no formula of their own. */
const formulas: Formulas = {
  ...arithmetic,
  ...activations,
  ...activationGradients,
  ...foreachs,
  ...losses,
  ...norms,
  ...reducing,
  ...optimisers,
  ...rearranging,
  ...regions,
  ...routing,
  ...shapes,
}

export function formulaOf(operator: string): Formula | undefined {
  return formulas[operator] ?? formulas[operator.replace(/(?:V\d+|Custom|Example)$/, '')]
}
