"""Rows of an export, written again by others: python parquet-rows.py dump|pyarrow|pyarrow-fixed|duckdb <in> <out>.

dump: a Parquet file as JSON lines. The others write JSON lines as Parquet, zstd, as their users would: pyarrow streams
batches of 1,000 rows with content-defined chunking and page index, or without the chunking; DuckDB copies.
"""
import json
import resource
import sys
import time

what, source, target = sys.argv[1:4]


def batches(schema):
    import pyarrow as pa

    rows = []
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            rows.append(json.loads(line))
            if len(rows) == 1000:
                yield pa.RecordBatch.from_pylist(rows, schema=schema)
                rows = []
    if rows:
        yield pa.RecordBatch.from_pylist(rows, schema=schema)


def dump():
    import pyarrow.parquet as pq

    with open(target, "w", encoding="utf-8") as lines:
        for batch in pq.ParquetFile(source).iter_batches(500):
            for row in batch.to_pylist():
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def pyarrow(chunking):
    import pyarrow.parquet as pq

    schema = pq.read_schema(sys.argv[4]).remove_metadata()
    # Row groups of 10,000 rows: the chunker starts anew in each.
    with pq.ParquetWriter(
        target, schema, compression="zstd", write_page_index=True, use_content_defined_chunking=chunking
    ) as writer:
        waiting = []
        for batch in batches(schema):
            waiting.append(batch)
            if len(waiting) == 10:
                write(writer, waiting)
                waiting = []
        if waiting:
            write(writer, waiting)


def write(writer, waiting):
    import pyarrow as pa

    writer.write_table(pa.Table.from_batches(waiting))


def duckdb():
    import duckdb as duck

    duck.sql("set threads = 1")
    duck.sql(
        f"copy (select * from read_json('{source}', format='newline_delimited', maximum_object_size=67108864)) "
        f"to '{target}' (format parquet, compression zstd)"
    )


started = time.time()
{"dump": dump, "pyarrow": lambda: pyarrow(True), "pyarrow-fixed": lambda: pyarrow(False), "duckdb": duckdb}[what]()
usage = resource.getrusage(resource.RUSAGE_SELF)
print(
    json.dumps(
        {
            "seconds": time.time() - started,
            "cpuSeconds": usage.ru_utime + usage.ru_stime,
            "peakRssMb": usage.ru_maxrss / 1024,
        }
    )
)
