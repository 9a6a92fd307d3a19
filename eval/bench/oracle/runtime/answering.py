"""One line in, one line out: what an oracle says, undisturbed by whatever its modules print."""
import contextlib
import json
import os
import sys

class Refused(Exception):
    """What a module's own code raises: a fact about the module, and no failure of the machine."""


@contextlib.contextmanager
def refusing():
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:
        # PyTorch has no type of its own for memory that a CPU lacks.
        if 'not enough memory' in str(error) or "can't allocate" in str(error):
            raise
        raise Refused(f'{type(error).__name__}: {error}') from error


answers = os.dup(1)
os.dup2(2, 1)


def answer(oracle, line):
    asked = json.loads(line)
    try:
        return getattr(oracle, asked['ask'])(asked)
    except Refused as refused:
        return {'failed': str(refused)[:2000], 'byModule': True}
    except Exception as error:
        return {'failed': f'{type(error).__name__}: {error}'[:2000]}


def serve(oracle):
    for line in sys.stdin:
        os.write(answers, (json.dumps(answer(oracle, line)) + '\n').encode())
