"""Runs the Python references of benchmark tasks: one request a line of JSON on stdin, one answer a line on stdout, tensors in files.

Requests: `open` a task, `describe` or `prepare` one of its rows, `compare` outputs with what the reference expects, `discard` a prepared row.
Everything that a task prints goes to stderr. Started as `python bridge.py`; the first line says which torch is there, or what is missing.
"""
import json
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def missing_packages():
    missing = []
    for name in ('torch', 'numpy'):
        try:
            __import__(name)
        except ImportError:
            missing.append(name)
    return missing


def serve(answers):
    import torch
    from errors import Unusable
    from tasks import Tasks

    torch.set_num_threads(1)
    tasks = Tasks()
    say(answers, {'torch': torch.__version__})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = getattr(tasks, request.pop('do'))(**request)
        except Unusable as error:
            reply = {'unusable': error.reason, 'detail': str(error)}
        except Exception as error:  # What a task's own code raises is an answer, not our end.
            reply = {'unusable': 'reference-failed', 'detail': f'{type(error).__name__}: {error}', 'trace': traceback.format_exc(limit=-4)}
        say(answers, reply)


def say(answers, reply):
    answers.write(json.dumps(reply) + '\n')
    answers.flush()


def main():
    # Answers get a descriptor of their own, so that a reference which prints cannot break a line.
    answers = os.fdopen(os.dup(1), 'w', encoding='utf-8')
    os.dup2(2, 1)
    missing = missing_packages()
    if missing:
        say(answers, {'missing': missing, 'python': sys.version.split()[0]})
        return
    serve(answers)


if __name__ == '__main__':
    main()
