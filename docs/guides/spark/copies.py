"""Finds the copies that `dedup` finds, in signatures: spark-submit copies.py signatures.parquet copies"""

import sys

import numpy as np
import pandas as pd
from pyspark.sql import SparkSession, functions as f

signatures, out = sys.argv[1:]
spark = SparkSession.builder.appName("copies").getOrCreate()
rows = spark.read.parquet(signatures)


@f.pandas_udf("double")
def similarity(one: pd.Series, other: pd.Series) -> pd.Series:
    a, b = (np.frombuffer(bytes.fromhex("".join(texts)), np.uint8) for texts in (one, other))
    equal = (a == b).reshape(len(one), -1).mean(axis=1)
    return pd.Series(np.maximum(0, (equal - 1 / 256) / (1 - 1 / 256)))


def pairs(keyed, *keys):
    """Records that share the keys: the one that is decided on later, and the earlier one."""
    later, earlier = (keyed.select(*keys, *(f.col(name).alias(who + name) for name in ("worse", "number")))
                      for who in ("", "earlier_"))
    met = later.join(earlier, list(keys))
    before = "struct(earlier_worse, earlier_number) < struct(worse, number)"
    return met.where(before).select("worse", "number", "earlier_worse", "earlier_number").distinct()


equal = pairs(rows, "exact").select("*", f.lit(0).alias("kind"))
near = rows.where("threshold is not null")
met = pairs(near.select("worse", "number", "group", f.posexplode("bands").alias("band", "hash")),
            "group", "band", "hash")
of_later = near.select("number", "threshold", "low")
of_earlier = near.select(f.col("number").alias("earlier_number"), f.col("low").alias("earlier_low"))
alike = (met.join(of_later, "number").join(of_earlier, "earlier_number")
         .where(similarity("low", "earlier_low") >= f.col("threshold"))
         .select("worse", "number", "earlier_worse", "earlier_number", f.lit(1).alias("kind")))

# Best records first, each compared only with kept ones: a pass in order, in which only the copies are in memory.
copies = {}
links = equal.union(alike).orderBy("worse", "number", "kind", "earlier_worse", "earlier_number")
for link in links.toLocalIterator(prefetchPartitions=True):
    if link.number not in copies and link.earlier_number not in copies:
        copies[link.number] = (link.earlier_number, ("duplicate", "near-duplicate")[link.kind])

ids = rows.select(f.col("number").alias("of"), f.col("id").alias("of_id"))
found = spark.createDataFrame([(number, *copy) for number, copy in copies.items()], "number int, of int, reason string")
found.join(ids, "of").orderBy("number").coalesce(1).write.mode("overwrite").csv(out, sep="\t", header=True)
print(len(copies), "copies of", rows.count(), "records")
