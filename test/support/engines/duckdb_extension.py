"""DuckDB of Python with its extension `delta`, as a package of PyPI has it, since DuckDB itself fetches extensions over the network."""

import glob
import os

import duckdb
import duckdb_ext

import common
from embedded import OWN

connection = duckdb.connect(config={"allow_unsigned_extensions": "false"})
(found,) = glob.glob(os.path.join(next(iter(duckdb_ext.__path__)), "extensions", f"v{duckdb.__version__}", "*", "delta.*"))
connection.execute(f"load '{found}'")
connection.execute("set timezone = 'UTC'")


def ask(statement):
    return connection.execute(statement).fetchall()


def read(table, version):
    path = table["path"].replace("'", "''")
    at = "" if version is None else f", version = {version}"
    return ask, f"delta_scan('{path}'{at})"


# Older versions can be read from the extension for DuckDB 1.5 on.
parameters = ask("select parameters from duckdb_functions() where function_name = 'delta_scan'")
common.run(common.by_sql(read, OWN), duckdb.__version__, any("version" in names for (names,) in parameters))
