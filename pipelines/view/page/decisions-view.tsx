import type {Observation} from '../../../datasets/schema/decision.ts'
import {visible} from './code-lines.ts'
import type {Counterfactual, DecisionCells} from './sample-of.ts'

/** Why the code is as it is: facts, rules and arithmetic of each decision, and what each alternative did. */
export function DecisionsView({decisions}: {decisions: readonly DecisionCells[]}) {
  return (
    <ol class="decisions">
      {decisions.map((one, at) => (
        <li key={at}>
          <p>
            <b>{one.topic}</b> {one.situation.replaceAll('-', ' ')} {one.subject && <code>{visible(one.subject)}</code>}
          </p>
          <ul>
            {one.facts.map((fact) => (
              <li key={fact}>
                <code>{visible(fact)}</code>
              </li>
            ))}
            {one.rules.map((rule) => (
              <li key={rule}>rule {rule}</li>
            ))}
            {one.arithmetic.map(({name, expression, worked, result}) => (
              <li key={name}>
                <code>
                  {name} = {visible(expression)}
                </code>{' '}
                {worked && `= ${worked} `}= {result}
              </li>
            ))}
          </ul>
          {one.counterfactuals.map((other, index) => (
            <Otherwise key={index} {...other} />
          ))}
        </li>
      ))}
    </ol>
  )
}

function Otherwise({change, path, line, before, after, outcome, observed, ...times}: Counterfactual) {
  return (
    <div class={`otherwise ${outcome}`}>
      <p>
        <b>{outcome}</b>
        {timesText(times)} — {change.replaceAll('-', ' ')}, {path}:{line}
      </p>
      <p>
        <code class="gone">{visible(before)}</code> → <code class="came">{visible(after)}</code>
      </p>
      <p class="quiet">{visible(inWords(JSON.parse(observed) as Observation))}</p>
    </div>
  )
}

type Times = Pick<Counterfactual, 'modelled_us' | 'otherwise_us' | 'modelled_elements'>

/** They are of a longer call than what was observed: the short calls of a row hide what takes time. */
function timesText({modelled_us: own, otherwise_us: other, modelled_elements: elements}: Times): string {
  if (own === null || other === null) return ''
  const length = elements === null ? '' : `, to ${Number(elements).toLocaleString('en')} elements`
  return `, modelled ${us(other)} instead of ${us(own)} with the call made longer${length}`
}

const us = (time: number) => `${time.toPrecision(3)} µs`

function inWords(observed: Observation): string {
  switch (observed.outcome) {
    case 'equal':
      return `The outputs are the same bits${observed.large ? ', also with large values' : ''}.`
    case 'close':
    case 'wrong': {
      const {output, index, seen, expected, differ, of} = observed
      return `${differ} of ${of} elements differ: ${output}[${index}] is ${seen}, expected ${expected}.`
    }
    case 'refused':
      return `${observed.rule} in ${observed.api}: ${observed.message}`
    case 'not-built':
      return observed.message
    case 'stopped':
      return `It ${observed.how}.`
  }
}
