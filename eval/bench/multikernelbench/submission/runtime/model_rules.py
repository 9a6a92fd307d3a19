"""What the model of a submission may say: a whitelist over its syntax tree."""
import ast

MODULES = {'torch', 'torch.nn', 'torch_npu', 'math', 'typing', '__future__'}
# A module that lies beside the model is found by statements about paths in front of its import.
PATH_MODULES = {'sys', 'os', 'os.path', 'pathlib'}
PATH_WORDS = {'resolve', 'absolute', 'parent', 'parents', 'is_dir', 'exists', 'is_file', 'path', 'insert', 'append',
              'abspath', 'realpath', 'dirname', 'join', 'isdir', 'Path'}
PATH_NODES = (ast.Name, ast.Load, ast.Store, ast.Attribute, ast.Call, ast.Constant, ast.BinOp, ast.Div, ast.BoolOp,
              ast.And, ast.Compare, ast.NotIn, ast.In, ast.UnaryOp, ast.Not, ast.Subscript)
FROM = {'torch': {'nn', 'Tensor'}, 'torch.nn': {'Module', 'Parameter'}, 'typing': None, '__future__': None}
STATEMENTS = (ast.Assign, ast.AnnAssign, ast.Return, ast.If, ast.Expr, ast.Pass, ast.Assert, ast.With)
ALLOCATIONS = {'empty', 'empty_like', 'empty_strided', 'zeros', 'zeros_like', 'ones', 'ones_like', 'full', 'full_like', 'tensor'}
TORCH_VALUES = {'Tensor', 'Size', 'device', 'nn', 'ops', 'no_grad', 'float', 'float32', 'float16', 'half', 'bfloat16', 'float64', 'double', 'int8',
                'uint8', 'int16', 'int32', 'int', 'int64', 'long', 'bool', 'contiguous_format', 'preserve_format'}
INIT_ONLY = {'rand', 'randn', 'arange', 'linspace', 'eye', 'randint'}
METHODS = {'view', 'view_as', 'reshape', 'reshape_as', 'permute', 'transpose', 't', 'contiguous', 'is_contiguous', 'size', 'dim', 'numel', 'to',
           'squeeze', 'unsqueeze', 'flatten', 'unflatten', 'movedim', 'expand', 'expand_as', 'stride', 'element_size', 'detach', 'clone',
           'new_empty', 'new_zeros', 'new_ones', 'new_full', 'float', 'int', 'long', 'half', 'narrow', 'select', 'type', 'cpu', 'npu'}
INIT_METHODS = {'__init__', 'register_buffer', 'register_parameter', 'append'}
BUILTINS = {'len', 'int', 'float', 'bool', 'str', 'tuple', 'list', 'isinstance', 'min', 'max', 'super', 'range', 'ValueError', 'RuntimeError'}
REFERENCE = {'Model', 'get_inputs', 'get_init_inputs', 'get_input_groups'}
# What `Module.__call__` looks up on the object itself.
MODULE_STATE = ('forward', '__', '_forward', '_backward', '_call', '_modules', '_parameters', '_buffers', '_compiled', '_slow', '_wrapped')


class Broken(Exception):
    def __init__(self, rule, node, seen):
        super().__init__(rule)
        self.found = {'rule': rule, 'line': getattr(node, 'lineno', 1), 'seen': seen[:120]}


def broken_rule(text, library='custom_ops_lib', beside=False):
    """`library` is the module that the model calls; `beside`: it lies in a folder beside the model."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        return {'model': {'error': f'model_src is no Python: {error}'}}
    try:
        Rules(tree, library, beside).module()
    except Broken as broken:
        return {'model': broken.found}
    return {}


def dotted(node):
    """`a.b.c` as text; None for what is no plain name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return None if before is None else f'{before}.{node.attr}'
    return None


class Rules:
    def __init__(self, tree, library, beside):
        self.tree = tree
        self.library = library
        self.paths = {'__file__', 'str'} if beside else set()
        self.names = {}  # name in the source: what it stands for
        self.methods = set()
        self.initial = False

    def full(self, node):
        """A dotted name with its import undone."""
        name = dotted(node)
        if name is None:
            return None
        first, *rest = name.split('.')
        return '.'.join([self.names.get(first, first), *rest])

    def module(self):
        for statement in self.tree.body:
            if isinstance(statement, ast.Import):
                self.imports(statement)
            elif isinstance(statement, ast.ImportFrom):
                self.imports_from(statement)
        for statement in self.tree.body:
            if self.finds_the_module(statement):
                continue
            if isinstance(statement, ast.ClassDef):
                self.model(statement)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                # Without effect in a process of its own, but in the harness it would replace the reference's inputs.
                rule = 'names-the-reference' if statement.name in REFERENCE else 'function-outside-the-model'
                if statement.name != 'get_init_inputs' and statement.name != 'get_inputs':
                    raise Broken(rule, statement, f'def {statement.name}')
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
                self.assignment(statement)
            elif not isinstance(statement, (ast.Import, ast.ImportFrom)):
                if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                    raise Broken('code-outside-the-model', statement, ast.unparse(statement))

    def finds_the_module(self, statement):
        """Whether a statement is about paths alone; names that it binds are for such statements only."""
        if not self.paths or not isinstance(statement, (ast.Assign, ast.If, ast.Expr)):
            return False
        if isinstance(statement, ast.If):
            below = [*statement.body, *statement.orelse]
            return self.is_path(statement.test) and all(map(self.finds_the_module, below))
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if not self.is_path(statement.value) or not all(isinstance(one, ast.Name) for one in targets):
            return False
        self.paths |= {one.id for one in targets}
        return True

    def is_path(self, value):
        nodes = list(ast.walk(value))
        named = [one.id for one in nodes if isinstance(one, ast.Name)]
        words = [one.attr for one in nodes if isinstance(one, ast.Attribute)]
        known = self.paths.issuperset(named) and PATH_WORDS.issuperset(words)
        return bool(named) and known and all(isinstance(one, PATH_NODES) for one in nodes)

    def is_closed(self, name):
        return name in REFERENCE or name in self.paths - BUILTINS or self.is_forbidden_name(name)

    def imports(self, statement):
        for alias in statement.names:
            if self.paths and alias.name in PATH_MODULES:
                self.paths.add(alias.asname or alias.name.split('.')[0])
                continue
            if alias.name not in MODULES | {self.library}:
                raise Broken('foreign-import', statement, f'import {alias.name}')
            self.bind(statement, alias.asname or alias.name.split('.')[0], alias.name if alias.asname else alias.name.split('.')[0])

    def imports_from(self, statement):
        if self.paths and statement.module in PATH_MODULES and {one.name for one in statement.names} <= PATH_WORDS:
            self.paths |= {one.asname or one.name for one in statement.names}
            return
        allowed = None if statement.module == self.library else FROM.get(statement.module or '', set())
        for alias in statement.names:
            if statement.level or alias.name == '*' or (allowed is not None and alias.name not in allowed):
                raise Broken('foreign-import', statement, f'from {statement.module} import {alias.name}')
            self.bind(statement, alias.asname or alias.name, f'{statement.module}.{alias.name}')

    def bind(self, node, name, meaning):
        if name in REFERENCE or name in BUILTINS:
            raise Broken('names-the-reference', node, name)
        self.names[name] = meaning

    def model(self, statement):
        bases = [self.full(base) for base in statement.bases]
        if statement.name in REFERENCE or bases != ['torch.nn.Module'] or statement.keywords or statement.decorator_list:
            raise Broken('class-outside-the-whitelist', statement, f'class {statement.name}')
        functions = [one for one in statement.body if isinstance(one, ast.FunctionDef)]
        self.methods = {one.name for one in functions} - {'__init__'}
        for one in statement.body:
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                continue
            if not isinstance(one, ast.FunctionDef):
                raise Broken('class-outside-the-whitelist', one, ast.unparse(one))
            self.function(one)

    def function(self, function):
        if function.name.startswith('__') and function.name != '__init__':
            raise Broken('reaches-into-python', function, f'def {function.name}')
        for decorator in function.decorator_list:
            if self.full(decorator.func if isinstance(decorator, ast.Call) else decorator) != 'torch.no_grad':
                raise Broken('decorator', decorator, ast.unparse(decorator))
        self.initial = function.name == '__init__'
        for value in [*function.args.defaults, *[one for one in function.args.kw_defaults if one]]:
            self.expression(value)
        self.body(function.body)

    def body(self, statements):
        for statement in statements:
            self.statement(statement)

    def statement(self, statement):
        if isinstance(statement, ast.Try):
            raise Broken('catches-errors', statement, 'try')
        if not isinstance(statement, STATEMENTS) and not (self.initial and isinstance(statement, (ast.For, ast.AugAssign))):
            raise Broken('statement-outside-the-whitelist', statement, ast.unparse(statement))
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            return self.assignment(statement)
        for value in ast.iter_child_nodes(statement):
            if isinstance(value, ast.stmt):
                self.statement(value)
            elif isinstance(value, ast.withitem):
                self.expression(value.context_expr)
            elif isinstance(value, ast.expr):
                self.expression(value, compares=isinstance(statement, (ast.If, ast.Assert)))

    def assignment(self, statement):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        for target in [part for one in targets for part in (one.elts if isinstance(one, ast.Tuple) else [one])]:
            self.target(target)
        if statement.value is not None:
            self.expression(statement.value)

    def target(self, target):
        if isinstance(target, ast.Name) and target.id not in REFERENCE and target.id not in self.names and target.id not in BUILTINS:
            return
        own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == 'self'
        if own and not self.initial:
            raise Broken('keeps-state-between-calls', target, ast.unparse(target))
        if own and not target.attr.startswith(MODULE_STATE) and target.attr not in self.methods:
            return
        raise Broken('writes-outside-the-model', target, ast.unparse(target))

    def expression(self, node, compares=False):
        if isinstance(node, (ast.Lambda, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            raise Broken('expression-outside-the-whitelist', node, ast.unparse(node))
        if isinstance(node, ast.Name) and self.is_closed(node.id):
            raise Broken('names-the-reference' if node.id in REFERENCE else 'reaches-into-python', node, node.id)
        if isinstance(node, ast.Attribute):
            self.attribute(node)
        if not self.initial:
            self.computes(node, compares)
        if isinstance(node, ast.Call):
            return self.call(node)
        below = compares or isinstance(node, ast.Compare)
        for value in ast.iter_child_nodes(node):
            if isinstance(value, ast.comprehension):
                self.expression(value.iter)
                for test in value.ifs:
                    self.expression(test, compares=True)
            elif isinstance(value, ast.expr):
                self.expression(value, below or (isinstance(node, ast.IfExp) and value is node.test))

    @staticmethod
    def is_forbidden_name(name):
        return name.startswith('__') or name in {'getattr', 'setattr', 'delattr', 'eval', 'exec', 'compile', 'open', 'globals', 'locals', 'vars', 'input'}

    def computes(self, node, compares):
        negative = isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not) and not isinstance(node.operand, ast.Constant)
        if isinstance(node, ast.BinOp) or negative or (isinstance(node, ast.Compare) and not compares):
            raise Broken('computes-in-python', node, ast.unparse(node))

    def attribute(self, node):
        if node.attr.startswith('__') and node.attr != '__init__':
            raise Broken('reaches-into-python', node, ast.unparse(node))
        name = self.full(node) or ''
        if name.startswith('torch.') and name.count('.') == 1 and node.attr not in TORCH_VALUES | ALLOCATIONS | (INIT_ONLY if self.initial else set()):
            raise Broken('uses-a-finished-operator', node, name)
        if name.startswith('torch.ops.') and not name.startswith('torch.ops.myops'):
            raise Broken('uses-a-finished-operator', node, name)

    def call(self, node):
        name = self.full(node.func)
        for value in [*node.args, *[one.value for one in node.keywords]]:
            self.expression(value.value if isinstance(value, ast.Starred) else value)
        if isinstance(node.func, ast.Attribute):
            self.attribute(node.func)
            self.expression(node.func.value)
        if not self.may_call(node.func, name):
            rule = 'uses-a-finished-operator' if name and name.startswith('torch') else 'call-outside-the-whitelist'
            reference = isinstance(node.func, ast.Call) or name in REFERENCE
            raise Broken('names-the-reference' if reference and 'Model' in ast.unparse(node) else rule, node, ast.unparse(node))

    def may_call(self, func, name):
        first, _, rest = (name or '').partition('.')
        if name in BUILTINS:
            return True
        if first == 'self':
            return rest in self.methods or (self.initial and rest in INIT_METHODS) or ('.' in rest and self.is_view(func))
        if first == self.library:
            return not self.initial and rest.count('.') == 0
        if first == 'torch':
            return self.may_call_torch(rest)
        if first == 'math':
            return self.initial
        return self.is_view(func)

    def may_call_torch(self, rest):
        allowed = rest in ALLOCATIONS or rest in {'no_grad', 'Size', 'device'} or rest.startswith('ops.myops.')
        return allowed or (self.initial and (rest in INIT_ONLY or rest.startswith('nn.') and 'functional' not in rest))

    def is_view(self, func):
        return isinstance(func, ast.Attribute) and func.attr in METHODS | (INIT_METHODS if self.initial else set())
