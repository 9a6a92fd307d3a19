"""Compares what pyarrow and DuckDB read of an exported data set, value for value, with what hyparquet read:

    npx tsx test/roundtrip/readers.ts <data set folder> > readers.json
    python test/roundtrip/readers.py <data set folder> readers.json

Prints one line per Parquet file; exits with 1 where readers differ.
"""
import hashlib
import json
import struct
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as parquet


def canonical(value):
    """Keys in order, numbers as the eight bytes of a double: what JSON writers of two languages agree on."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return "#" + struct.pack(">d", value).hex()
    if isinstance(value, (list, tuple)):
        return [canonical(one) for one in value]
    return {name: canonical(value[name]) for name in sorted(value)}


def digest_of(rows) -> str:
    digest = hashlib.sha256()
    for row in rows:
        text = json.dumps(canonical(row), ensure_ascii=False, separators=(",", ":"))
        digest.update(text.encode("utf-8") + b"\n")
    return digest.hexdigest()


def rows_of_duckdb(path: Path):
    cursor = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [str(path)])
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def main(folder: Path, told: dict) -> int:
    files = sorted((folder / "data").rglob("*.parquet"))
    failures = [f"{path}: not there" for path in told if folder / "data" / path not in files]
    for path in files:
        name = str(path.relative_to(folder / "data"))
        expected = told.get(name, {})
        found = {
            "pyarrow": digest_of(parquet.read_table(path).to_pylist()),
            "DuckDB": digest_of(rows_of_duckdb(path)),
        }
        agree = ["hyparquet"] + [reader for reader, digest in found.items() if digest == expected.get("sha256")]
        failures += [f"{name}: {reader} reads something else" for reader in found if reader not in agree]
        if expected.get("lite"):
            agree.append("parquetjs-lite")
        elif expected.get("codec") == "SNAPPY":
            failures.append(f"{name}: parquetjs-lite reads something else")
        print(f"{name}: {expected.get('rows')} rows in {expected.get('codec')}, equal by {', '.join(agree)}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or not files else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text("utf-8"))))
