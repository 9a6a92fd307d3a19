"""MinHash of datatrove over a JSONL file: minhash_datatrove.py <file> <folder>; prints CPU and kept ids.

Its own hash, xxhash, which wants a version before 4; one task and one worker, so that all CPU is counted here.
"""

import glob
import json
import os
import resource
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import (
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

source, out = sys.argv[1:3]
folder, name = os.path.split(source)
config = MinhashConfig(n_grams=5, num_buckets=14, hashes_per_bucket=8)


def reader():
    return JsonlReader(folder, glob_pattern=name)


def run(step, tasks, *pipeline):
    LocalPipelineExecutor(
        pipeline=list(pipeline), tasks=tasks, workers=1, logging_dir=f"{out}/logs/{step}"
    ).run()


run("signatures", 1, reader(), MinhashDedupSignature(output_folder=f"{out}/signatures", config=config, language="eng"))
run("buckets", 14, MinhashDedupBuckets(input_folder=f"{out}/signatures", output_folder=f"{out}/buckets", config=config))
run("cluster", 1, MinhashDedupCluster(input_folder=f"{out}/buckets", output_folder=f"{out}/remove", config=config))
run(
    "filter",
    1,
    reader(),
    MinhashDedupFilter(input_folder=f"{out}/remove"),
    JsonlWriter(f"{out}/kept", output_filename="${rank}.jsonl", compression=None),
)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
kept = [json.loads(line)["id"] for path in glob.glob(f"{out}/kept/*.jsonl") for line in open(path, encoding="utf-8")]
print(
    json.dumps(
        {
            "seconds": sum(one.ru_utime + one.ru_stime for one in used),
            "megabytes": max(one.ru_maxrss for one in used) // 1024,
            "kept": kept,
        }
    )
)
