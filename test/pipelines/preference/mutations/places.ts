import {type Mutation, viewFiles} from '../../../../pipelines/preference/mutations/mutation.ts'

/** All texts that mutations can make of one file, each with what is wrong in it. */
export function madeBy(mutations: readonly Mutation[], path: string) {
  return (name: string, text: string): [text: string, says: string][] => {
    const mutation = mutations.find((one) => one.name === name)
    if (!mutation) throw new Error(`no mutation is called ${name}`)
    const places = mutation.places(viewFiles([{path, text}]))
    return places.map(({start, end, replacement, says}) => [text.slice(0, start) + replacement + text.slice(end), says])
  }
}
