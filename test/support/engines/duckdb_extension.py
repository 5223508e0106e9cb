"""DuckDB of Python with its extension `delta`, as a package of PyPI has it, since DuckDB itself fetches extensions over the network."""

import glob
import os

import duckdb
import duckdb_ext

import common

OWN = {"micros": "epoch_us({c})", "elements": "len({c})", "text": {"octets": "sum(strlen({c}))"}}

connection = duckdb.connect(config={"allow_unsigned_extensions": "false"})
(found,) = glob.glob(os.path.join(next(iter(duckdb_ext.__path__)), "extensions", f"v{duckdb.__version__}", "*", "delta.*"))
connection.execute(f"load '{found}'")
connection.execute("set timezone = 'UTC'")


def ask_table(table, version=None):
    path = table["path"].replace("'", "''")
    source = f"delta_scan('{path}')" if version is None else f"delta_scan('{path}', version = {version})"
    return common.ask_sql(lambda statement: connection.execute(statement).fetchall(), source, table, OWN)


# Older versions can be read from the extension for DuckDB 1.5 on.
parameters = connection.execute("select parameters from duckdb_functions() where function_name = 'delta_scan'").fetchall()
has_versions = any("version" in names for (names,) in parameters)
common.run(ask_table, duckdb.__version__, ask_table if has_versions else None)
