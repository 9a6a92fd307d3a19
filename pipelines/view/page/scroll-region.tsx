import type {ComponentChildren} from 'preact'

/** What may be wider or higher than its place: it can be focused, so that keys scroll it. */
export function ScrollRegion({label, children}: {label: string; children: ComponentChildren}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: axe-core asks for it: who has no mouse scrolls with keys
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
