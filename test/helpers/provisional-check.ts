// @ts-nocheck
import {readModule} from '../../pipelines/ascendcraft/language/parse.ts'
import {bindTypes} from '../../pipelines/ascendcraft/language/bind-types.ts'
import {flat, ownExpressions, parts, namesIn, bufferUses} from '../../pipelines/ascendcraft/lower/mentions.ts'
export function check(text, types = {}) {
  const read = readModule(text)
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  const bound = bindTypes(read.module, types)
  const module = bound.module
  const host = Object.fromEntries(module.host.parameters.map((p) => [p.name, p]))
  const hostScalars = {}
  const typeOf = (table) => function of(e) {
    switch (e.kind) {
      case 'number': return e.isFloat ? 'float' : 'int'
      case 'boolean': return 'bool'
      case 'name': return table[e.name] ?? 'int'
      case 'unary': return e.operator === 'not' ? 'bool' : of(e.operand)
      case 'choice': return [of(e.yes), of(e.no)].includes('float') ? 'float' : of(e.yes)
      case 'binary':
        if (['==','!=','<','<=','>','>=','and','or'].includes(e.operator)) return 'bool'
        if (e.operator === '/') return 'float'
        return [of(e.left), of(e.right)].includes('float') ? 'float' : 'int'
      case 'call':
        if (['sqrt','float'].includes(e.callee)) return 'float'
        if (e.callee === 'extract') { const b = buffers.find(x => x.name === namesIn([e.arguments[0]])[0]); return ['float32','float16','bfloat16'].includes(b?.type) ? 'float' : 'int' }
        if (['min','max','abs'].includes(e.callee)) return e.arguments.map(of).includes('float') ? 'float' : 'int'
        return 'int'
      default: return 'int'
    }
  }
  const buffers = []
  for (const p of module.host.parameters) if (p.kind === 'attribute') hostScalars[p.name] = p.type
  const hostOf = typeOf(hostScalars)
  const works = {}
  for (const s of flat(module.host.body)) { if (s.kind === 'assign') hostScalars[s.name] = hostOf(s.value); if (s.kind === 'workspace') works[s.name] = s }
  const launch = module.host.body.find((s) => s.kind === 'launch')
  const loaded = new Set(), stored = new Set(), added = new Set(), bl = new Set(), bs = new Set()
  const loops = new Set()
  const walk = (body, loop) => { for (const s of body) {
    if (s.kind === 'operation' && s.primitive === 'load') { namesIn([s.arguments[0]]).forEach(n => loaded.add(n)); const b = namesIn([s.arguments[1]])[0]; bl.add(b); if (loop) loops.add(b) }
    if (s.kind === 'operation' && s.primitive === 'store') { namesIn([s.arguments[0]]).forEach(n => stored.add(n)); const b = namesIn([s.arguments[1]])[0]; bs.add(b); if (loop) loops.add(b) }
    if (s.kind === 'for') walk(s.body, true)
    if (s.kind === 'stage') walk(s.body, loop)
    if (s.kind === 'if') s.branches.forEach(b => walk(b.body, loop)) } }
  walk(module.kernel.body, false)
  for (const s of flat(module.kernel.body)) if (s.kind === 'alloc') {
    const role = bl.has(s.name) ? 'in' : bs.has(s.name) ? 'out' : 'scratch'
    buffers.push({name: s.name, type: s.type.type, size: s.size, role, depth: role === 'scratch' ? 1 : s.depth ?? (loops.has(s.name) ? 2 : 1), line: s.line, column: s.column})
  }
  const scalars = {}
  const parameters = module.kernel.parameters.map((p, i) => {
    const argument = launch.arguments[i]
    const h = argument.kind === 'name' ? host[argument.name] : undefined
    if (h && h.kind !== 'attribute') return {kind: 'gm', name: p.name, type: h.type.type, argument: argument.name, of: h.kind === 'tensor' ? 'input' : 'output', loaded: loaded.has(p.name), stored: stored.has(p.name), added: false}
    if (argument.kind === 'name' && works[argument.name]) return {kind: 'gm', name: p.name, type: works[argument.name].type.type, argument: argument.name, of: 'workspace', loaded: true, stored: true, added: false}
    scalars[p.name] = hostOf(argument)
    return {kind: 'scalar', name: p.name, type: hostOf(argument), argument}
  })
  const kOf = typeOf(scalars)
  for (const s of flat(module.kernel.body)) { if (s.kind === 'assign') scalars[s.name] = kOf(s.value); if (s.kind === 'for') scalars[s.variable] = 'int' }
  return {module, types: bound.types, parameters, buffers, scalars, hostScalars, usesSyncAll: flat(module.kernel.body).some(s => s.kind === 'sync_all')}
}
