import type {Counterfactual, Decision} from '../schema/decision.ts'
import type {CotSample} from '../schema/sample.ts'
import {column, whole, type Column} from './column.ts'
import type {ColumnType} from './column-types.ts'

const decision: ColumnType = {
  struct: {
    topic: 'string',
    situation: 'string',
    subject: 'string',
    values: 'string',
    facts: {list: 'string'},
    rules: {list: 'string'},
    arithmetic: {list: {struct: {name: 'string', expression: 'string', worked: 'string', result: 'float64'}}},
    counterfactuals: {
      list: {
        struct: {
          change: 'string',
          path: 'string',
          line: 'int32',
          before: 'string',
          after: 'string',
          outcome: 'string',
          observed: 'string',
          modelled_us: 'float64',
          otherwise_us: 'float64',
          modelled_elements: 'int32',
        },
      },
    },
  },
}

/** Reasons for the code: the evidence behind what the reasoning derives. */
export const decisionColumns: readonly Column<CotSample>[] = [
  column(
    'decisions',
    {list: decision},
    'Decisions in the code, with what shows them (`facts`), the `rules` of device and interfaces behind them, ' +
      'the arithmetic of a call, and what the same program did on it with the alternative (`outcome`: ' +
      '`equal`, `close`, `wrong`, `refused`, `not-built`, `stopped`; `observed` and `values` are JSON; times are ' +
      'modelled for the call made longer, to `modelled_elements`); empty for others.',
    (row) => (row.decisions ?? []).map(cells),
  ),
  whole(
    'counterfactuals',
    'Number of programs with an alternative decision in `decisions`; null for rows without decisions.',
    (row) => row.decisions?.reduce((sum, one) => sum + otherwise(one).length, 0),
  ),
]

const otherwise = ({because}: Decision): Counterfactual[] => because.filter((one) => one.kind === 'counterfactual')

function cells(one: Decision) {
  const {topic, situation, subject, values, because} = one
  const arithmetic = because.flatMap((step) =>
    step.kind === 'arithmetic'
      ? [{name: step.name, expression: step.expression, worked: step.worked ?? null, result: step.result}]
      : [],
  )
  const facts = because.flatMap((step) => (step.kind === 'fact' ? [step.code] : []))
  const rules = because.flatMap((step) => (step.kind === 'rule' ? [`${step.api}: ${step.rule}`] : []))
  const counterfactuals = otherwise(one).map(({change, path, line, before, after, observed, modelled}) => ({
    ...{change, path, line, before, after, outcome: observed.outcome, observed: JSON.stringify(observed)},
    ...{modelled_us: modelled?.before ?? null, otherwise_us: modelled?.after ?? null},
    modelled_elements: modelled?.elements ?? null,
  }))
  return {topic, situation, subject, values: JSON.stringify(values), facts, rules, arithmetic, counterfactuals}
}
