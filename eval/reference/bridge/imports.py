"""Which modules the references of tasks import that this Python has not, read off their text: nothing of it runs."""
import ast
import importlib.util
import os

# Stand-ins take their places, see stubs.py.
STOOD_IN = {'torch_npu', 'kernel_gen_ops', 'framework'}


def imported(path):
    """First names of what a file imports wherever it stands; none of one that Python cannot read, whose task says so itself."""
    try:
        with open(path, encoding='utf-8') as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return set()
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module]
    return {name.split('.')[0] for name in names}


def lacking(folders):
    """Of `{task: folder}`: the tasks of each module that is not there."""
    found = {}
    for task, folder in folders.items():
        files = [os.path.join(folder, name) for name in ('module.py', 'prepare_inputs.py')]
        for name in sorted(set().union(*map(imported, files)) - STOOD_IN):
            if importlib.util.find_spec(name) is None and not os.path.exists(os.path.join(folder, f'{name}.py')):
                found.setdefault(name, []).append(task)
    return found
