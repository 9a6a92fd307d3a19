"""Reads a reply's six strings off its syntax tree, without running it."""
import ast
import json
import sys

STRINGS = ('project_json_src', 'host_tiling_src', 'host_operator_src', 'kernel_src', 'python_bind_src', 'model_src')
TRIMS = ('strip', 'lstrip', 'rstrip')


def constant(node):
    """The string that an expression stands for; None where running it would be needed."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = constant(node.left), constant(node.right)
        return None if left is None or right is None else left + right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TRIMS and not node.args:
        whole = constant(node.func.value)
        return None if whole is None else getattr(whole, node.func.attr)()
    return None


def read(text):
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        return {'unreadable': f'the reply is no Python: {error}'}
    found = {}
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, 'target', None)]
        for target in targets:
            if isinstance(target, ast.Name) and target.id in STRINGS:
                found[target.id] = constant(statement.value) if getattr(statement, 'value', None) else None
    missing = [name for name in STRINGS if name not in found]
    if missing:
        return {'unreadable': f'the reply defines no {", ".join(missing)}'}
    computed = [name for name in STRINGS if found[name] is None]
    if computed:
        return {'unreadable': f'{", ".join(computed)}: expected a string as it is written, not one that is computed'}
    return {'strings': found, **unparsed(found['model_src'])}


def unparsed(model):
    """Told before anything is built: the model's process would only find it afterwards."""
    try:
        ast.parse(model)
    except (SyntaxError, ValueError, RecursionError) as error:
        return {'fault': f'model_src is no Python: {error}'}
    return {}


print(json.dumps(read(sys.stdin.read())))
