import {readFileSync} from 'node:fs'

/** One way to write a model, as the source of a reply has it; `ends`: how a call of it ends, when it is not right. */
export interface ModelForm {
  name: string
  ends: string
  source: string
}

/** Forms of `test/fixtures/model-forms/<file>.txt`, which all are to give what the kernel gives. */
export function modelForms(file: string): ModelForm[] {
  const text = readFileSync(new URL(`../fixtures/model-forms/${file}.txt`, import.meta.url), 'utf8')
  return text
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n')
      const [name = '', ends = 'right'] = head.split(' | ')
      return {name, ends, source: lines.join('\n')}
    })
}

/** The source of one model that is made with the name of a form, and is that form. */
export function modelOfForms(forms: readonly ModelForm[]): string {
  const sources = JSON.stringify(Object.fromEntries(forms.map(({name, source}) => [name, source])))
  return `import json
FORMS = json.loads(${JSON.stringify(sources)})
def ModelNew(name):
    scope = {'__name__': 'submission', '__file__': __file__}
    exec(compile(FORMS[name], name, 'exec'), scope)
    return scope['ModelNew']()
`
}
