import type {CraftDesign, Difficulty} from '../../../datasets/schema/crafted-operator.ts'
import {expressionsOf, isCall, partsOf} from './math-expression.ts'

/** How hard an operator is to write, from what it consists of. */
export function difficultyOf(design: CraftDesign): Difficulty {
  const {stages, scan, inputs, outputs, strategy} = design
  const functions = expressionsOf(design).flatMap(partsOf).filter(isCall).length
  const reductions = stages.length + (scan ? 1 : 0)
  const types = new Set([...inputs, ...outputs].map(({type}) => type).concat(design.compute)).size
  const tails = strategy !== 'row-fits'
  const points = (functions > 5 ? 1 : 0) + reductions + (types > 1 ? 1 : 0) + (strategy === 'meeting' ? 1 : 0)
  return {functions, reductions, types, tails, level: Math.min(3, Math.max(1, points))}
}
