import {useLayoutEffect} from 'preact/hooks'

/** What keys do, by their names; while somebody types, only Escape does something. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  // Other effects run after the browser has painted: a quick key would meet what the page before this one does.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const {key, target} = event
      const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')
      const isPress = key === 'Enter' && target instanceof HTMLElement && target.matches('button, a, summary, input')
      const action = keys[key]
      if (!action || isPress || (isTyping && key !== 'Escape') || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}
