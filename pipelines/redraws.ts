/** Whether lines on the screen can be redrawn. A build server keeps all output, redrawn lines included. */
export function redraws(
  {isTTY = false}: {isTTY?: boolean | undefined},
  {TERM, CI = ''}: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY && TERM !== 'dumb' && ['', '0', 'false'].includes(CI)
}
