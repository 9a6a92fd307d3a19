"""Device memory of a process in which kernels are launched; host code reaches it through torch's operations alone."""
import contextlib
import ctypes
import json
import os


class Device:
    def __init__(self, library, seconds):
        self.library = ctypes.CDLL(library)
        self.seconds = seconds
        self.library.twin_said.restype = ctypes.c_char_p
        self.closed = False

    def begin(self, questions):
        self.library.twin_begin(questions, self.seconds)
        self.library.twin_open()

    def call(self, asked):
        os.environ['TWIN_FRESH_MEMORY'] = asked['poison']
        self.library.twin_next(asked['order'] == 'reverse')

    @contextlib.contextmanager
    def hidden(self):
        """While code of the submission runs."""
        self.library.twin_close()
        self.closed = True
        try:
            yield
        finally:
            self.closed = False
            self.library.twin_open()

    @contextlib.contextmanager
    def shown(self):
        """While an operation of torch runs, out of code of the submission."""
        if not self.closed:
            yield
            return
        self.library.twin_open()
        try:
            yield
        finally:
            self.library.twin_close()

    def said(self):
        return {'device': json.loads(self.library.twin_said())}


class NoDevice:
    """Tensors are memory of the host, and operators are run elsewhere."""

    hidden = shown = contextlib.nullcontext

    def begin(self, questions):
        pass

    def call(self, asked):
        pass

    def said(self):
        return {}
