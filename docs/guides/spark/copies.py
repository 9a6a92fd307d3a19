"""Finds the copies that `dedup` finds, in signatures: spark-submit copies.py signatures.parquet copies"""

import sys
from collections import defaultdict

import numpy as np
import pandas as pd
from pyspark.sql import SparkSession, Window, functions as f

signatures, out = sys.argv[1:]
# Records of one key up to which each is compared with each; with more, only with those that stay.
most = 100
spark = SparkSession.builder.appName("copies").getOrCreate()
rows = spark.read.parquet(signatures)

# Equal records have equal signatures: only the best of them is compared.
equals = Window.partitionBy("exact").orderBy("worse", "number")
firsts = rows.withColumn("first", f.first("number").over(equals)).cache()
near = firsts.where("number = first and threshold is not null")


def likeness(one, other):
    return np.maximum(0, ((one == other).mean(axis=-1) - 1 / 256) / (1 - 1 / 256))


@f.pandas_udf("double")
def similarity(one: pd.Series, other: pd.Series) -> pd.Series:
    return pd.Series(likeness(*(np.frombuffer(bytes.fromhex("".join(texts)), np.uint8).reshape(len(texts), -1)
                                for texts in (one, other))))


key = ["group", "band", "hash"]
keyed = near.select("worse", "number", "group", f.posexplode("bands").alias("band", "hash"))
met = keyed.withColumn("together", f.count("*").over(Window.partitionBy(*key))).where("together > 1")
few = met.where(f.col("together") <= most)
earlier = few.select(*key, *(f.col(name).alias("earlier_" + name) for name in ("worse", "number")))
pairs = (few.join(earlier, key).where("struct(earlier_worse, earlier_number) < struct(worse, number)")
         .select("number", "earlier_number").distinct())
of_earlier = near.select(f.col("number").alias("earlier_number"), f.col("worse").alias("earlier_worse"),
                         f.col("low").alias("earlier_low"))
alike = (pairs.join(near, "number").join(of_earlier, "earlier_number")
         .where(similarity("low", "earlier_low") >= f.col("threshold"))
         .groupBy("number").agg(f.collect_list(f.struct("earlier_worse", "earlier_number")).alias("alike")))
crowded = met.where(f.col("together") > most).groupBy("number").agg(
    f.collect_list(f.struct("band", "hash")).alias("crowds"))
found = (near.join(alike, "number", "left").join(crowded, "number", "left")
         .where("alike is not null or crowds is not null")
         .select("number", "worse", "group", "threshold", "alike", "crowds",
                 f.when(f.col("crowds").isNotNull(), f.col("low")).alias("low")).orderBy("worse", "number"))

# Best records first, each compared only with kept ones: a pass in order, with copies and kept ones of crowds in memory.
copies, kept, lows = {}, defaultdict(list), {}
for row in found.toLocalIterator(prefetchPartitions=True):
    likes = [tuple(one) for one in row.alike or () if one.earlier_number not in copies]
    keys = [(row.group, *one) for one in row.crowds or ()]
    low = np.frombuffer(bytes.fromhex(row.low), np.uint8) if keys else None
    near_ones = list({place for one in keys for place in kept[one]})
    if near_ones:
        enough = likeness(np.stack([lows[number] for _, number in near_ones]), low) >= row.threshold
        likes += [place for place, is_like in zip(near_ones, enough) if is_like]
    if likes:
        copies[row.number] = min(likes)[1]
        continue
    for one in keys:
        kept[one].append((row.worse, row.number))
        lows[row.number] = low

near_copies = spark.createDataFrame(list(copies.items()), "first int, near_of int")
of = f.coalesce("near_of", "first")
reason = f.when(f.col("near_of").isNull(), "duplicate").otherwise("near-duplicate")
decided = (firsts.join(near_copies, "first", "left").select("number", of.alias("of"), reason.alias("reason"))
           .where("number != of"))
ids = rows.select(f.col("number").alias("of"), f.col("id").alias("of_id"))
decided.join(ids, "of").orderBy("number").coalesce(1).write.mode("overwrite").csv(out, sep="\t", header=True)
print(decided.count(), "copies of", rows.count(), "records")
