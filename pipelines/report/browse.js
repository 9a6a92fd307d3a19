// Runs in the reader's browser, from the report file itself: shows one sample at a time and filters the list.
const buttons = [...document.querySelectorAll('.list button')]
const filters = {
  kind: document.querySelector('#kind'),
  label: document.querySelector('#label'),
  split: document.querySelector('#split'),
}
const search = document.querySelector('#search')
const shown = document.querySelector('#shown')

function show(button) {
  for (const other of buttons) {
    const current = other === button
    other.setAttribute('aria-current', String(current))
    document.getElementById(other.dataset.target).hidden = !current
  }
}

function matches(button) {
  const wanted = search.value.trim().toLowerCase()
  const text = wanted === '' ? '' : document.getElementById(button.dataset.target).textContent.toLowerCase()
  const passes = ([name, select]) => select.value === '' || button.dataset[name].split(' ').includes(select.value)
  return text.includes(wanted) && Object.entries(filters).every(passes)
}

function filter() {
  for (const button of buttons) button.hidden = !matches(button)
  const visible = buttons.filter((button) => !button.hidden)
  shown.textContent = `${visible.length} of ${buttons.length}`
  const current = buttons.find((button) => button.getAttribute('aria-current') === 'true')
  if (!visible.includes(current)) show(visible[0])
}

for (const button of buttons) button.addEventListener('click', () => show(button))
for (const select of Object.values(filters)) select?.addEventListener('change', filter)
search?.addEventListener('input', filter)
document.querySelector('.list')?.addEventListener('keydown', (event) => {
  const visible = buttons.filter((button) => !button.hidden)
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key]
  const next = step && visible[visible.indexOf(document.activeElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
  show(next)
})
if (buttons.length > 0) filter()
