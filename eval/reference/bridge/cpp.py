"""Reads the part of C++ in which bindings are written into a tree of tuples, kind first."""
import re


class BindingError(Exception):
    pass


TOKEN = re.compile(r'''\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*|(?P<string>"(?:\\.|[^"\\])*")|(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?[fFuUlL]*)|(?P<name>[A-Za-z_]\w*)'''
                   r'''|(?P<sign>::|->|\+\+|--|[-+*/%=!<>]=|&&|\|\||[-+*/%=!<>?:;,.(){}\[\]&|~])''', re.S | re.X)
BINARY = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']]
ASSIGN = ['=', '+=', '-=', '*=', '/=']


def tokens_of(text):
    tokens, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise BindingError(f'line {text.count(chr(10), 0, at) + 1}: {text[at:at + 20]!r} is not read')
        if match.lastgroup:
            tokens.append((match.lastgroup, match.group(), text.count('\n', 0, at) + 1))
        at = match.end()
    return tokens + [('end', '', 0)]


class Parser:
    """Text to functions {name: (parameters, body)}, variables of the file, and exports {Python name: function name}."""

    def __init__(self, text):
        self.tokens = tokens_of(text)
        self.at = 0
        self.functions = {}
        self.exports = {}
        self.globals = []
        while self.peek() != '':
            self.top()

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def kind(self):
        return self.tokens[self.at][0]

    def take(self, expected=None):
        kind, text, line = self.tokens[self.at]
        if expected is not None and text != expected:
            raise BindingError(f'line {line}: saw {text!r}, expected {expected!r}')
        self.at += 1
        return text

    def accept(self, text):
        if self.kind() != 'string' and self.peek() == text:
            self.at += 1
            return True
        return False

    def top(self):
        if self.accept('PYBIND11_MODULE'):
            while self.take() != '{':
                pass
            while not self.accept('}'):
                if self.peek() == 'def' and self.peek(1) == '(':
                    self.at += 2
                    name = self.take()[1:-1]
                    self.take(',')
                    self.accept('&')
                    self.exports[name] = self.take()
                else:
                    self.at += 1
            return
        if self.accept('using') or self.accept(';'):
            while not self.accept(';'):
                self.at += 1
            return
        for word in ('static', 'inline'):
            self.accept(word)
        kind = self.type()
        name = self.take()
        if self.peek() in ('=', '{', ';'):
            self.globals.append(self.declare(kind, name))
            return self.take(';')
        self.take('(')
        parameters = []
        while not self.accept(')'):
            kind = self.type()
            parameter = self.take()
            default = self.expression() if self.accept('=') else None
            parameters.append((kind, parameter, default))
            self.accept(',')
        self.functions[name] = (parameters, self.statement())

    def type(self):
        """The type's name without const, reference and pointer signs, template arguments included."""
        while self.accept('const'):
            pass
        if self.kind() != 'name':
            raise BindingError(f'line {self.tokens[self.at][2]}: no type at {self.peek()!r}')
        name = self.take()
        while self.accept('::'):
            name += '::' + self.take()
        if self.accept('<'):
            inner = []
            while not self.accept('>'):
                inner.append(self.take() if self.kind() == 'number' else self.type())
                self.accept(',')
            name += '<' + ','.join(inner) + '>'
        while self.peek() in ('const', '&', '*', '&&'):
            self.at += 1
        return name

    def attempt(self, read):
        start = self.at
        try:
            found = read()
        except BindingError:
            found = None
        if found is None:
            self.at = start
        return found

    def declaration(self):
        def read():
            kind = self.type()
            if self.kind() != 'name':
                return None
            name = self.take()
            return (kind, name) if self.peek() in ('=', '(', '{', ';', ':') else None
        return self.attempt(read)

    def statement(self):
        line = self.tokens[self.at][2]
        if self.accept('{'):
            body = []
            while not self.accept('}'):
                body.append(self.statement())
            return ('block', body)
        if self.accept(';'):
            return ('block', [])
        if self.accept('if'):
            self.take('(')
            condition = self.expression()
            self.take(')')
            then = self.statement()
            return ('if', condition, then, self.statement() if self.accept('else') else None)
        if self.accept('for'):
            return self.loop()
        if self.accept('return'):
            value = None if self.peek() == ';' else self.expression()
            self.take(';')
            return ('return', value)
        if self.accept('throw'):
            value = self.expression()
            self.take(';')
            return ('throw', value)
        declared = self.declaration()
        node = self.declare(*declared) if declared else ('expression', self.expression(), line)
        self.take(';')
        return node

    def declare(self, kind, name):
        if self.accept('='):
            return ('declare', kind, name, 'copy', self.expression())
        if self.peek() == '(':
            return ('declare', kind, name, 'construct', self.arguments())
        if self.peek() == '{':
            return ('declare', kind, name, 'copy', self.expression())
        return ('declare', kind, name, 'default', None)

    def loop(self):
        self.take('(')
        declared = self.declaration()
        if declared and self.accept(':'):
            items = self.expression()
            self.take(')')
            return ('each', declared[1], items, self.statement())
        first = self.declare(*declared) if declared else ('expression', self.expression(), 0)
        self.take(';')
        condition = self.expression()
        self.take(';')
        step = self.expression()
        self.take(')')
        return ('for', first, condition, step, self.statement())

    def expression(self):
        left = self.binary(0)
        if self.accept('?'):
            then = self.expression()
            self.take(':')
            return ('choose', left, then, self.expression())
        if self.kind() == 'sign' and self.peek() in ASSIGN:
            return ('assign', self.take(), left, self.expression())
        return left

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while self.kind() == 'sign' and self.peek() in BINARY[level]:
            left = ('binary', self.take(), left, self.binary(level + 1))
        return left

    def unary(self):
        if self.kind() == 'sign' and self.peek() in ('-', '!', '&', '*', '++', '--', '+'):
            return ('unary', self.take(), self.unary())
        node = self.primary()
        while True:
            if self.accept('.') or self.accept('->'):
                self.accept('template')
                node = ('member', node, self.take(), self.template())
            elif self.peek() == '(' and self.kind() == 'sign':
                node = ('call', node, self.arguments(), self.tokens[self.at - 1][2])
            elif self.accept('['):
                node = ('index', node, self.expression())
                self.take(']')
            elif self.kind() == 'sign' and self.peek() in ('++', '--'):
                node = ('unary', self.take(), node)
            else:
                return node

    def template(self):
        def read():
            self.take('<')
            inner = []
            while not self.accept('>'):
                inner.append(self.take() if self.kind() == 'number' else self.type())
                self.accept(',')
            return ','.join(inner) if self.peek() in ('(', '{') else None
        return self.attempt(read) if self.peek() == '<' else None

    def arguments(self):
        self.take('(')
        items = []
        while not self.accept(')'):
            items.append(self.expression())
            self.accept(',')
        return items

    def primary(self):
        kind, text, line = self.tokens[self.at]
        if kind == 'number':
            self.at += 1
            plain = text.rstrip('uUlL')
            if re.fullmatch(r'\d+', plain):
                return ('constant', int(plain))
            return ('constant', float(plain.rstrip('fF')))
        if kind == 'string':
            self.at += 1
            return ('constant', text[1:-1])
        if self.accept('('):
            inner = self.expression()
            self.take(')')
            return inner
        if self.accept('{'):
            items = []
            while not self.accept('}'):
                items.append(self.expression())
                self.accept(',')
            return ('list', items)
        if kind != 'name':
            raise BindingError(f'line {line}: saw {text!r}, expected an expression')
        name = self.take()
        while self.accept('::'):
            name += '::' + self.take()
        inner = self.template()
        if inner is not None and self.peek() == '{':
            return self.expression()
        return ('name', name, inner)
