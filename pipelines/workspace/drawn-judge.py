"""Has the candidates of this folder judged by a command, and writes verdicts.jsonl: see README.md."""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))


def lines_of(path):
    if not os.path.exists(path):
        return
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            # A torn last line is what a killed process leaves.
            if line.endswith('\n') and line.strip():
                yield json.loads(line)


def lay(candidate, folder):
    for file in candidate['files']:
        path = os.path.join(folder, file['path'])
        if not os.path.realpath(path).startswith(os.path.realpath(folder) + os.sep):
            raise ValueError('%s leads out of the folder' % file['path'])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as out:
            out.write(file['text'])
    with open(os.path.join(folder, 'task.json'), 'w', encoding='utf-8') as out:
        json.dump({key: candidate[key] for key in ('operator', 'description', 'cases')}, out, ensure_ascii=False)


def judge(candidate, asked):
    """A verdict, or why there is none."""
    with tempfile.TemporaryDirectory(prefix='candidate-') as folder:
        lay(candidate, folder)
        process = subprocess.Popen(
            asked.command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            said = process.communicate(timeout=asked.timeout)[0]
        except subprocess.TimeoutExpired:
            # What the command started goes with it.
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, 'it took more than %d s' % asked.timeout
        log = said.decode('utf-8', 'replace').replace(os.path.realpath(folder) + '/', '').replace(folder + '/', '')
        verdict = os.path.join(folder, 'verdict.json')
        if os.path.exists(verdict):
            with open(verdict, encoding='utf-8') as told:
                try:
                    read = json.load(told)
                except ValueError as error:
                    return None, 'its verdict.json is no JSON: %s' % error
            return (read, '') if isinstance(read, dict) else (None, 'its verdict.json is no verdict')
        if process.returncode == 0:
            return {'outcome': 'compiled'}, ''
        if process.returncode == 1:
            return {'outcome': 'compile-failed', 'log': log[-100000:]}, ''
        return None, 'it ended with %d: %s' % (process.returncode, log.strip()[-300:])


def main():
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument('--command', required=True, help='is started in the folder of a candidate')
    reader.add_argument('--name', required=True, help='of the executor, e.g. cann-compile')
    reader.add_argument('--compiler', default='', help='and its version')
    reader.add_argument('--soc', default='', help='the chip that it compiles for, e.g. Ascend910B2')
    reader.add_argument('--limit', type=int, default=0, help='judge so many, and stop')
    reader.add_argument('--jobs', type=int, default=1, help='candidates at a time; 1 where they share a card')
    reader.add_argument('--timeout', type=float, default=600, help='seconds for one candidate')
    asked = reader.parse_args()
    executor = {'name': asked.name, 'compiler': asked.compiler, 'soc': asked.soc}
    path = os.path.join(here, 'verdicts.jsonl')
    whole = ''.join(json.dumps(line, ensure_ascii=False) + '\n' for line in lines_of(path))
    with open(path, 'w', encoding='utf-8') as out:
        out.write(whole)
    known = {(line['task'], line['sources']) for line in lines_of(path)}
    left = [one for one in lines_of(os.path.join(here, 'candidates.jsonl')) if (one['task'], one['sources']) not in known]
    left = left[: asked.limit or None]
    without = 0
    with ThreadPoolExecutor(asked.jobs) as workers:
        for start in range(0, len(left), asked.jobs):
            some = left[start : start + asked.jobs]
            for candidate, (verdict, why) in zip(some, workers.map(lambda one: judge(one, asked), some)):
                if verdict is not None:
                    verdict['executor'] = executor
                    line = {key: candidate[key] for key in ('task', 'operator', 'sources')}
                    line['verdict'] = verdict
                    with open(path, 'a', encoding='utf-8') as out:
                        out.write(json.dumps(line, ensure_ascii=False) + '\n')
                    continue
                without += 1
                print('no verdict on %s %s: %s' % (candidate['operator'], candidate['sources'], why), file=sys.stderr)
            if without == start + len(some) and without >= 5:
                sys.exit('none of the first %d could be judged: is the command right?' % without)
    print('%s: %d verdicts, %d without' % (path, sum(1 for _ in lines_of(path)), without))


main()
