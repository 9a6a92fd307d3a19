"""One line in, one line out: what an oracle says, undisturbed by whatever its modules print."""
import json
import os
import sys

answers = os.dup(1)
os.dup2(2, 1)


def answer(oracle, line):
    asked = json.loads(line)
    try:
        return getattr(oracle, asked['ask'])(asked)
    except Exception as error:
        return {'failed': f'{type(error).__name__}: {error}'[:2000]}


def serve(oracle):
    for line in sys.stdin:
        os.write(answers, (json.dumps(answer(oracle, line)) + '\n').encode())
