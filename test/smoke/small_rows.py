"""
The shortest rows of an exported Parquet file, whole: `small_rows.py <in> <out> <rows>`. Long rows would only
cost time. With `-` as input, prompts for every task of the judge at JUDGE_URL.
"""

from __future__ import annotations

import json
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def rows_of(path: str) -> pa.Table:
    if path != "-":
        return pq.read_table(path)
    from ascend_cot_judge.trl import prompts

    return pa.Table.from_pylist(prompts())


def main(source: str, target: str, count: int) -> None:
    table = rows_of(source)
    texts = [name for name in ("prompt", "completion", "chosen", "rejected") if name in table.column_names]
    sizes = [len(json.dumps(row, ensure_ascii=False).encode()) for row in table.select(texts).to_pylist()]
    shortest = sorted(range(table.num_rows), key=lambda at: (sizes[at], at))[:count]
    pq.write_table(table.take(sorted(shortest)), target)
    print(json.dumps({"rows": len(shortest), "longest": max(sizes[at] for at in shortest)}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
