import {type Mutation, viewFiles} from '../../../../pipelines/preference/mutations/mutation.ts'

/**
 * All texts that mutations can make of one file, each with what is wrong in it. A head that declares what the text
 * uses stays out of them, and so do the faults in it.
 */
export function madeBy(mutations: readonly Mutation[], path: string, head = '') {
  return (name: string, text: string): [text: string, says: string][] => {
    const mutation = mutations.find((one) => one.name === name)
    if (!mutation) throw new Error(`no mutation is called ${name}`)
    const whole = head + text
    return mutation
      .places(viewFiles([{path, text: whole}]))
      .filter(({start}) => start >= head.length)
      .map(({start, end, replacement, says}) => [
        whole.slice(head.length, start) + replacement + whole.slice(end),
        says,
      ])
  }
}
